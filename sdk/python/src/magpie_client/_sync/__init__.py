# Written by generate.py from the asynchronous client: change that.
