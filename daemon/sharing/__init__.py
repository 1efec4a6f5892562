"""The queue of records that several machines share, in Redis Streams: optional, and never the truth.

The log has every record of this machine; what Redis loses is put there again. Heat and nearness are worked
out on what has been fetched: no answer waits for the network.
"""
