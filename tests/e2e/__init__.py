"""Real coding clients against a scripted model, each in a network of its own: `make e2e`.

Nothing here is collected by pytest. A client is installed from npm into its own folder and runs in a network
namespace without a way out, with a throw-away HOME and a dummy key.
"""
