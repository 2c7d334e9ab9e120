"""Prints the error of `browser` for a page whose process crashes."""

import sys

import browser

with browser.Page(sys.argv[1]) as page:
    try:
        page.send("Page.crash")
    except RuntimeError as error:
        print(error)
