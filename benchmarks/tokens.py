"""How many bytes of an answer a token is, by a real tokenizer, over the answers of the scripted conversations about the
fixtures; it measures nothing else.

    tokens.py [--encoding o200k_base]
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Final

import bpe_openai

from explore.diagnostics.report import BYTES_PER_TOKEN
from explore.replay import play, read_conversation

FIXTURES: Final = Path(__file__).resolve().parents[1] / "fixtures"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(";", maxsplit=1)[0])
    parser.add_argument("--encoding", default="o200k_base", choices=bpe_openai.list_encoding_names())
    encoding = bpe_openai.get_encoding(parser.parse_args().encoding)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(FIXTURES, Path(scratch, "fixtures"), ignore=shutil.ignore_patterns(".codegraph-explore"))
        for script in sorted(Path(scratch, "fixtures", "conversations").glob("*.toml")):
            texts = [played.text for played in play(read_conversation(script))]
            tokens = sum(len(encoding.encode(text)) for text in texts)
            rows.append((sum(len(text.encode()) for text in texts), tokens, script.stem))
    for size, tokens, name in rows:
        error = size / BYTES_PER_TOKEN / tokens - 1
        print(f"{size:8,} bytes {tokens:7,} tokens {size / tokens:5.2f} bytes a token, estimate {error:+4.0%}  {name}")
    size, tokens = sum(row[0] for row in rows), sum(row[1] for row in rows)
    print(f"{size:8,} bytes {tokens:7,} tokens {size / tokens:5.2f} bytes a token in all")


if __name__ == "__main__":
    main()
