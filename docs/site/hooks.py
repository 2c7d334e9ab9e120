"""Hooks of mkdocs: pages from outside docs/, and anchors as repository pages have them.

The pages are plain Markdown whose links work in a checkout. This file maps them to
the site:

- EXTRA lists files outside docs/ that are pages of the site.
- A link to such a file becomes a link to its page. A link to any other file outside
  docs/ becomes its text, because the site does not contain the file.
- Headings get the anchors that GitHub and GitLab give them.
- MOE_SITE_API lists the API pages that scripts/site.sh adds: python, c.
"""

import os
import pathlib
import posixpath
import re

from mkdocs.structure.files import File

TREE = pathlib.Path(__file__).resolve().parent.parent.parent

# (pattern of files in the tree, page; {} is the file's name without its suffix)
EXTRA = [
    ("CONTRIBUTING.md", "developers/contributing.md"),
    ("CHANGELOG.md", "developers/changelog.md"),
    ("dialects/moe/MoE.md", "reference/dialects/moe.md"),
    ("dialects/moert/MoERT.md", "reference/dialects/moert.md"),
    ("dialects/ocs/OCS.md", "reference/dialects/ocs.md"),
    ("runtime/README.md", "reference/runtime/index.md"),
    ("runtime/GPU.md", "reference/runtime/gpu.md"),
    ("runtime/SWITCHES.md", "reference/runtime/switches.md"),
    ("bench/results/*.md", "validation/results/{}.md"),
]

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^[ ]*```.*?^[ ]*```[ ]*$", re.M | re.S)


def get_pages():
    """Pages of the site that are files outside docs/, by their path in the tree."""
    pages = {}
    for pattern, page in EXTRA:
        for path in sorted(TREE.glob(pattern)):
            pages[path.relative_to(TREE).as_posix()] = page.format(path.stem)
    return pages


def slugify(text, separator):
    """The anchor that a repository page gives a heading."""
    text = re.sub(r"<[^>]*>", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", separator)


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slugify
    return config


def on_files(files, config):
    for path, page in get_pages().items():
        files.append(File.generated(config, page, abs_src_path=str(TREE / path)))
    return files


def resolve(link, source, pages):
    """The target of a link for the page, or None if the site does not have it."""
    path, anchor = re.fullmatch(r"([^#]*)(#.*)?", link).groups()
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    here = posixpath.dirname(pages.get(source, source.removeprefix("docs/")))
    if target in pages:
        return posixpath.relpath(pages[target], here) + (anchor or "")
    if target.startswith("docs/") or not (TREE / target).exists():
        # Inside docs/ or broken: mkdocs resolves it, or reports it.
        return posixpath.relpath(target.removeprefix("docs/"), here) + (anchor or "")
    return None


def link_api(parts):
    """Links to the pages that pdoc and Doxygen add to the site."""
    pages = {"python": ("index.html", "Functions and classes of moe_mlir"),
             "c": ("files.html", "Functions of moe-c and libmoert")}
    items = "".join(f'- <a href="../../api/{part}/{pages[part][0]}">{pages[part][1]}</a>\n'
                    for part in parts)
    return f"\n\n## API pages\n\n{items}" if items else ""


def on_page_markdown(markdown, page, config, files):
    pages = get_pages()
    source = os.path.relpath(page.file.abs_src_path, TREE).replace(os.sep, "/")
    if source == "docs/reference/python-and-c.md":
        # scripts/site.sh builds these pages after the site, so mkdocs cannot check them.
        markdown += link_api(os.environ.get("MOE_SITE_API", "").split())

    def relink(match):
        text, link = match.groups()
        if re.match(r"[a-z]+:|#", link):
            return match[0]
        target = resolve(link, source, pages)
        return f"[{text}]({target})" if target is not None else text

    parts, end = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [LINK.sub(relink, markdown[end:fence.start()]), fence[0]]
        end = fence.end()
    return "".join(parts) + LINK.sub(relink, markdown[end:])
