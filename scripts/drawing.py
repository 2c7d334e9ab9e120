"""Shapes and colors of the pictures in docs/pictures.

Pictures have a light background of their own because an image cannot follow the theme
of the page around it. Labels have at least 20 of the 900 units of a picture's width, so
that they stay readable when it is 390 pixels wide. Boxes leave room for wide fonts.

Coordinates and sizes are in these units, with y downwards.
"""

import html

WIDTH = 900
INK, FAINT, LINE = "#1c2128", "#57606a", "#6e7781"
# (fill, border) of each kind of box.
INPUT = ("#f0f2f4", "#8c959f")
PROGRAM = ("#ddeafb", "#2f6fb7")
PHASE = ("#ffffff", "#2f6fb7")
TIME = ("#fdf0d5", "#b7791f")
RUN = ("#ece6f9", "#7a5cc0")
CHECK = ("#dcf3e3", "#2e8b57")


def text(x, y, label, size=20, fill=INK, bold=False, anchor="middle"):
    weight = ' font-weight="600"' if bold else ""
    return (f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{weight} '
            f'text-anchor="{anchor}">{html.escape(label)}</text>')


def box(x, y, width, height, colors, title, *lines, dashed=False):
    """A box with a title in bold and further lines, centred."""
    fill, border = colors
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    yield (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" '
           f'fill="{fill}" stroke="{border}" stroke-width="1.5"{dashes}/>')
    middle = y + height / 2 - 12 * len(lines)
    yield text(x + width / 2, middle + 8, title, 22, bold=bool(lines))
    for number, line in enumerate(lines, 1):
        yield text(x + width / 2, middle + 7 + 25 * number, line)


def line(*points, color=LINE, width=2, dashed=False, end=""):
    """A line through the points; `end` holds further attributes."""
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    path = "M" + " L".join(f"{x} {y}" for x, y in points)
    return (f'<path d="{path}" fill="none" stroke="{color}" '
            f'stroke-width="{width}"{dashes}{end}/>')


def arrow(*points, dashed=False):
    """A line through the points with a head at the last one."""
    return line(*points, dashed=dashed, end=' marker-end="url(#head)"')


def picture(height, title, description, shapes):
    """The SVG of the shapes, as text. Screen readers read title and description."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" '
        'aria-labelledby="title description" '
        'font-family="Helvetica, Arial, sans-serif">',
        f'<title id="title">{html.escape(title)}</title>',
        f'<desc id="description">{html.escape(description)}</desc>',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="5" markerHeight="5" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{LINE}"/></marker></defs>',
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="12" '
        'fill="#ffffff" stroke="#d0d7de"/>',
        *shapes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
