// Matrices as squares, the darker the greater; graphs of who is joined to whom;
// and a slider for what there are several of.

/** A range of places that stand together: "ranks 4–7", of one alone "rank 4". */
function nameBlock(word, place, size, count) {
  const from = place * size, to = Math.min(count, from + size) - 1;
  return from === to ? `${word} ${from}` : `${word}s ${from}–${to}`;
}

/** Sums of blocks of `rowSize` rows and `columnSize` columns. */
function sumBlocks(rows, rowSize, columnSize) {
  const sums = Array.from({length: Math.ceil(rows.length / rowSize)}, () =>
      new Array(Math.ceil(rows[0].length / columnSize)).fill(0));
  rows.forEach((row, i) => row.forEach((value, j) => {
    sums[Math.floor(i / rowSize)][Math.floor(j / columnSize)] += value;
  }));
  return sums;
}

/** What a greater matrix than this is shown in blocks of. */
const kMostSquares = 64;

/**
 * A matrix, with its numbers where they have room. `row` and `column` are words
 * for what stands at its sides, `say` makes words of a number; `most` is what is
 * darkest, the greatest number without it.
 */
function drawMatrix(caption, all, {row, column, say, most}) {
  if (!all.length || !all[0].length)
    return el('p', {}, `${caption}: none.`);
  const sizes = [all.length, all[0].length].map(count =>
      Math.ceil(count / kMostSquares));
  const rows = sizes[0] * sizes[1] > 1 ? sumBlocks(all, ...sizes) : all;
  const columns = rows[0].length;
  const top = Math.max(most === undefined || sizes[0] * sizes[1] > 1 ? 0 : most,
                       ...rows.map(one => Math.max(...one)));
  const size = Math.max(8, Math.min(38, Math.floor(560 / columns)));
  const left = 48, above = 22;
  const width = Math.max(240, left + columns * size + 2);
  const height = above + rows.length * size + 2;
  const stepX = Math.ceil(30 / size), stepY = Math.ceil(15 / size);
  const texts = rows.map(one => one.map(value => format(value, value < 10 ? 1 : 0)));
  const hasRoom = size >= 30 && texts.every(one => one.every(text => text.length < 5));
  const isBlocks = sizes[0] * sizes[1] > 1;
  return el('figure', {},
    el('svg', {viewBox: `0 0 ${width} ${height}`, width, role: 'img', 'aria-label':
        `${caption}: one row per ${row}, one column per ${column}, up to ${say(top)}`},
      el('text', {class: 'soft', x: 0, y: 14}, `${row} ↓`),
      rows[0].map((_, j) => j % stepX ? null : el('text', {
        x: left + j * size + size / 2, y: 14, 'text-anchor': 'middle'},
        String(j * sizes[1]))),
      rows.map((one, i) => el('g', {},
        i % stepY ? null : el('text', {x: left - 6, 'text-anchor': 'end',
            y: above + i * size + size / 2 + 4}, String(i * sizes[0])),
        one.map((value, j) => el('g', {},
          el('title', {}, `${nameBlock(row, i, sizes[0], all.length)} to ` +
              `${nameBlock(column, j, sizes[1], all[0].length)}: ${say(value)}`),
          el('rect', {class: 'square', x: left + j * size + 0.5,
              y: above + i * size + 0.5, width: size - 1, height: size - 1,
              'fill-opacity': top > 0 ? (0.06 + 0.94 * value / top).toFixed(3) : 0.06}),
          !hasRoom || !value ? null : el('text', {
            x: left + j * size + size / 2, y: above + i * size + size / 2 + 4,
            'text-anchor': 'middle'}, texts[i][j])))))),
    el('figcaption', {}, `${caption}. One row per ${row}, one column per ${column}` +
        (isBlocks ? `; a square sums ${sizes[0]} × ${sizes[1]} of them` : '') +
        `; the strongest color is ${say(top)}.`));
}

/** The numbers of a matrix as a table, where they are few enough to be read. */
function listMatrix(caption, rows, {row, column}) {
  if (!rows.length || rows.length > 32 || rows[0].length > 32)
    return null;
  return el('details', {}, el('summary', {}, 'Show as numbers'), makeTable(caption, [
    {title: row, value: i => i},
    ...rows[0].map((_, j) => ({title: `${column} ${j}`, number: true,
        value: i => rows[i][j], show: i => exact(format(rows[i][j], 1), rows[i][j])})),
  ], rows.map((_, i) => i), {isHigh: true}));
}

/**
 * Who is joined to whom, on a circle; lines as wide as there are of them, or as
 * `weights` say, of which `say` makes words.
 */
function drawGraph(caption, matrix, {weights, say} = {}) {
  const count = matrix.length, size = 320, middle = size / 2, far = middle - 26;
  const place = i => {
    const angle = 2 * Math.PI * i / count - Math.PI / 2;
    return [middle + far * Math.cos(angle), middle + far * Math.sin(angle)];
  };
  const edges = [];
  for (let i = 0; i < count; ++i)
    for (let j = i + 1; j < count; ++j)
      if (matrix[i][j])
        edges.push([i, j, matrix[i][j]]);
  const getWeight = ([i, j, n]) => weights ? weights[i][j] : n;
  const most = Math.max(weights ? 1e-9 : 1, ...edges.map(getWeight));
  return el(
      'figure', {},
      el('svg', {
        viewBox : `0 0 ${size} ${size}`,
        width : size,
        role : 'img',
        'aria-label' : `${caption}: ${
            edges.map(([ i, j, n ]) => `${i} and ${j}, ${n}`).join('; ') ||
            'none'}`
      },
         edges.map(edge => {
           const [i, j, n] = edge;
           const [x1, y1] = place(i), [ x2, y2 ] = place(j);
           return el(
               'g', {},
               el('title', {},
                  `server ${i} and ${j}: ${format(n, 0)}` +
                      (weights ? `, ${say(getWeight(edge))} in both directions`
                               : '')),
               el('line', {
                 class : 'edge',
                 x1,
                 y1,
                 x2,
                 y2,
                 'stroke-width' : 1 + 5 * getWeight(edge) / most
               }));
         }),
         matrix.map((_, i) => {
           const [cx, cy] = place(i);
           return el(
               'g', {}, el('title', {}, `server ${i}`),
               el('circle', {class : 'node', cx, cy, r : count > 32 ? 4 : 13}),
               count > 32
                   ? null
                   : el('text', {x : cx, y : cy + 4, 'text-anchor' : 'middle'},
                        String(i)));
         })),
      el('figcaption', {},
         `${caption} as a graph: a wider line means more ` +
             (weights ? `bytes, up to ${say(most)} in both directions.`
                      : 'links.')));
}

/**
 * Shows one of several things, chosen with a slider; `name` makes its words and
 * `draw` what is shown.
 */
function makeSlider(label, items, name, draw) {
  const place = el('div');
  const words = el('output', {'aria-live': 'polite'});
  const input = el('input', {type: 'range', min: 0, max: items.length - 1, value: 0,
                             step: 1, oninput: () => show(Number(input.value))});
  const show = i => {
    words.textContent = name(items[i]);
    input.setAttribute('aria-valuetext', name(items[i]));
    place.replaceChildren(...[draw(items[i])].flat(Infinity).filter(Boolean));
  };
  show(0);
  return [el('div', {class: 'tools'},
             items.length < 2 ? null : el('label', {}, `${label} `, input), words),
          place];
}

/** Shows one of a few things, chosen by its name: [[name, draw], …]. */
function makeChooser(label, items) {
  const place = el('div');
  const show = i =>
      place.replaceChildren(...[items[i][1]()].flat(Infinity).filter(Boolean));
  const select = el('select', {onchange: () => show(select.selectedIndex)},
      items.map(([name]) => el('option', {}, name)));
  show(0);
  return [items.length < 2 ? null :
          el('div', {class: 'tools'}, el('label', {}, `${label} `, select)), place];
}
