"""trafilatura beside Magpie. Takes a page a line as JSON (`html`, `url`), answers with its Markdown (`result`, null where
it finds none) and the CPU time that it took (`ms`).
"""

import json
import os
import sys
import time

# What it prints goes to standard error: standard output is for answers.
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)

from trafilatura import extract  # noqa: E402


def read(page: dict) -> dict:
    start = time.process_time()
    try:
        result = extract(page["html"], url=page["url"], output_format="markdown")
    except Exception:
        result = None
    return {"result": result, "ms": (time.process_time() - start) * 1000}


print(json.dumps("ready"), file=answers)
for line in sys.stdin:
    print(json.dumps(read(json.loads(line))), file=answers)
