// Elements, words for numbers, and tables. Every text of the data gets into the
// page as a text, never as markup.

/** An element: attributes by name, handlers as on…; children or texts. */
function el(tag, attributes = {}, ...children) {
  const isSvg = ['svg', 'g', 'rect', 'line', 'path', 'circle', 'text', 'title',
                 'polyline'].includes(tag);
  const node = isSvg ?
      document.createElementNS('http://www.w3.org/2000/svg', tag) :
      document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith('on'))
      node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? '' : value);
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined)
      node.append(child instanceof Node ? child :
                                          document.createTextNode(child));
  return node;
}

/** A number with at most so many digits behind the point. */
function format(number, digits = 3) {
  // Made once: this takes longer than all else.
  let one = format.byDigits.get(digits);
  if (!one)
    format.byDigits.set(digits, one = new Intl.NumberFormat('en-US',
        {maximumFractionDigits: digits}));
  return one.format(number);
}
format.byDigits = new Map();

/** A time; exact in the title of the element that holds it. */
/** Three significant digits and the unit that needs no zeros: 46.0 us, 109 ms. */
function formatUs(us) {
  let value = us, unit = 'us';
  for (const larger of ['ms', 's']) {
    if (Math.abs(value) < 999.5)
      break;
    value /= 1000;
    unit = larger;
  }
  const size = Math.abs(value);
  return `${value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0)} ${unit}`;
}

function formatBytes(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (bytes >= 1000 && unit + 1 < units.length) {
    bytes /= 1000;
    ++unit;
  }
  return `${format(bytes, unit ? 2 : 0)} ${units[unit]}`;
}

/** GB/s are bytes by 1000 us. */
const formatRate = (bytes, us) => `${format(bytes / us / 1000, 2)} GB/s`;

/** A number with what it is exactly. */
const exact = (text, number) => el('span', {title: String(number)}, text);

/** Round numbers from 0 on, two to five of them, of which `most` is past the last. */
function listTicks(most) {
  const rough = Math.max(most, 1e-12) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 2.5, 5, 10].find(f => f * power >= rough);
  const ticks = [];
  for (let i = 0; i * step <= most * (1 + 1e-9); ++i)
    ticks.push(i * step);
  return ticks;
}

const percent = (part, whole) => whole > 0 ? part / whole * 100 : 0;

/** A number that matters, under its name; exact in its title. */
const makeFact = (title, text, number, more = '') => el('li', {}, title,
    el('b', number === undefined ? {} : {title: String(number)}, text),
    el('span', {class: 'soft'}, more));

/** A bar of a part of a whole, beside numbers that say the same. */
function meter(part) {
  const width = Math.max(0, Math.min(1, part)) * 120;
  return el('svg', {class: 'meter', viewBox: '0 0 120 12', 'aria-hidden': 'true'},
      el('rect', {x: 0, y: 0, width: 120, height: 12, fill: 'none',
                  stroke: 'currentColor', 'stroke-opacity': 0.25}),
      el('rect', {class: 'bar', x: 0, y: 0, width, height: 12}));
}

/**
 * A table that is sorted by its heads. Columns: {title, value, show, number, isText};
 * long texts get room (`isText`); `value` sorts, `show` makes what is shown of it (a text or an element).
 */
function makeTable(caption, columns, rows, options = {}) {
  const body = el('tbody');
  let shown = 0;
  let order = rows;
  const more = el('button', {type: 'button', onclick: () => add(options.page)},
                  'Show more');
  const add = count => {
    const until = Math.min(order.length, shown + (count || order.length));
    for (; shown < until; ++shown) {
      const row = order[shown];
      body.append(el('tr', {class: options.isChosen && options.isChosen(row) ?
                                       'chosen' : null},
          columns.map((column, i) => el(i === 0 ? 'th' : 'td', {
            scope: i === 0 ? 'row' : null,
            class: column.number ? 'number' : column.isText ? 'text' : null,
          }, column.show ? column.show(row) : String(column.value(row))))));
    }
    more.hidden = shown === order.length;
  };
  const heads = columns.map((column, place) => {
    const head = el('th', {scope: 'col', class: column.number ? 'number' : null,
                           'aria-label': column.title ? null : column.label || 'as a bar'});
    if (!column.value) {
      head.append(column.title);
      return head;
    }
    head.append(el('button', {type: 'button', onclick: () => {
      const isUp = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads)
        other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
      const sign = isUp ? 1 : -1;
      order = [...rows].sort((a, b) => {
        const x = columns[place].value(a), y = columns[place].value(b);
        return sign * (typeof x === 'number' && typeof y === 'number' ?
                           x - y : String(x).localeCompare(String(y)));
      });
      body.replaceChildren();
      shown = 0;
      add(options.page);
    }}, column.title));
    return head;
  });
  add(options.page);
  return el('div', {class: options.isHigh ? 'wide high' : 'wide', tabindex: 0,
                    role: 'region', 'aria-label': caption},
      el('table', {}, el('caption', {}, caption),
         el('thead', {}, el('tr', {}, heads)), body),
      more);
}

/** A section with a place in the list of contents. */
function addSection(id, title, ...children) {
  const section = el('section', {id, 'aria-labelledby': `${id}-title`},
                     el('h2', {id: `${id}-title`}, title), children);
  document.getElementById('main').append(section);
  document.getElementById('contents').append(
      el('a', {href: `#${id}`}, title));
  return section;
}
