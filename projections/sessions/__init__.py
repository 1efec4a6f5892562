"""What agents did, session by session and task by task: the projection `sessions`, and what it is read by."""
