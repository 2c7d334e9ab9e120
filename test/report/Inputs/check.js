// Questions about a page, asked by check.py.

/** The parts of a box that its ancestors let be seen; null for none. */
function clip(box, node) {
  let {left, top, right, bottom} = box;
  for (let one = node; one; one = one.parentElement) {
    const style = getComputedStyle(one);
    if (style.visibility === 'hidden' || style.display === 'none')
      return null;
    if (style.overflowX === 'visible' && style.overflowY === 'visible')
      continue;
    const bounds = one.getBoundingClientRect();
    left = Math.max(left, bounds.left);
    right = Math.min(right, bounds.right);
    top = Math.max(top, bounds.top);
    bottom = Math.min(bottom, bounds.bottom);
  }
  return right - left > 1 && bottom - top > 1 ? {left, top, right, bottom} : null;
}

/** Texts that can be seen, with their boxes. */
function listTexts() {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility() ||
        parent.closest('script, noscript, option, .skip, title'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const seen = clip(box, parent);
      if (seen)
        texts.push({text: node.data.trim(), ...seen});
    }
  }
  return texts;
}

/** Pairs of texts that stand on each other by more than a point. */
function findOverlaps(texts) {
  texts.sort((a, b) => a.top - b.top);
  const found = [];
  for (let i = 0; i < texts.length; ++i)
    for (let j = i + 1; j < texts.length && texts[j].top < texts[i].bottom - 1; ++j) {
      const a = texts[i], b = texts[j];
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        found.push(`${a.text} | ${b.text}`);
    }
  return found;
}

/** What is wrong with the texts of the page and of its timeline. */
function checkTexts() {
  const texts = listTexts();
  const found = findOverlaps(texts);
  const timeline = report.timeline;
  if (timeline)
    found.push(...findOverlaps(timeline.labels.map(label => ({
      text: label.text, left: label.x, right: label.x + label.width,
      top: label.y, bottom: label.y + label.height}))));
  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  return {texts: texts.length, found: found.slice(0, 5)};
}

/** What is wrong with a critical path: a gap, or a length that is not the makespan. */
function checkCriticalPath(program) {
  let at = 0, sum = 0;
  const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, program.makespanUs);
  for (const task of program.critical) {
    if (!near(program.start[task], at))
      return `task ${task} starts at ${program.start[task]}, expected ${at}`;
    at = program.end[task];
    sum += program.end[task] - program.start[task];
  }
  return near(sum, program.makespanUs) ? '' :
      `${sum} long, expected ${program.makespanUs}`;
}

/** Zooms to tasks here and there: what the page then says must be of them. */
function checkZoom(program) {
  const timeline = report.timeline;
  const wrong = [];
  for (let i = 0; i < 9 && program.count; ++i) {
    const task = Math.floor(i * (program.count - 1) / 8);
    timeline.select(program, task);
    timeline.showTask(program, task);
    timeline.draw();
    const {from, to} = timeline;
    if (from > program.start[task] || to < program.end[task])
      wrong.push(`task ${task}: shows ${from} to ${to}`);
    const numbers = [...document.querySelectorAll('#timeline dd[title]')]
        .map(dd => Number(dd.title));
    for (const us of [program.start[task], program.end[task]])
      if (!numbers.includes(us))
        wrong.push(`task ${task}: expected ${us} in ${numbers}`);
    // What stands in the middle of it.
    const row = timeline.rows.find(r => r.program === program &&
        r.stream === program.kinds[program.kindOf[task]].stream);
    const x = timeline.toX((program.start[task] + program.end[task]) / 2);
    const found = timeline.find(x, row.y + 10);
    if (!found || program.start[found.task] !== program.start[task] &&
                  program.end[found.task] !== program.end[task])
      wrong.push(`task ${task}: found ${found && found.task}`);
  }
  timeline.showAll();
  return wrong;
}

/** Red, green, blue and opacity of a colour as styles say it. */
function readColour(text) {
  const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
  return {r, g, b, a};
}

function getLuminance({r, g, b}) {
  const [x, y, z] = [r, g, b].map(c => (c /= 255) <= 0.03928 ? c / 12.92 :
      ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

/** Texts that are hard to read on what is behind them, as WCAG 2 has it (AA). */
function checkContrast() {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    // What stands on squares of a picture stands in a table, too.
    if (!node.data.trim() || !parent.checkVisibility() ||
        parent.closest('script, noscript, option, .skip, title, svg g g'))
      continue;
    const style = getComputedStyle(parent);
    let behind = {r: 255, g: 255, b: 255};
    for (let one = parent; one; one = one.parentElement) {
      const colour = readColour(getComputedStyle(one).backgroundColor);
      if (colour.a > 0) {
        behind = colour;
        break;
      }
    }
    const ink = readColour(parent.closest('svg') ? style.fill : style.color);
    const [a, b] = [getLuminance(ink), getLuminance(behind)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5)
      found.add(`${parent.tagName} ${style.color} on ${JSON.stringify(behind)}: ` +
                node.data.trim().slice(0, 30));
  }
  return [...found].slice(0, 5);
}

/** What the page consists of, whatever it looks like. */
function outline() {
  return [...document.querySelectorAll('h1, h2, h3, table, svg[role=img], canvas, input, select, button')]
      .filter(one => !one.closest('details:not([open]) > :not(summary), [aria-live]'))
      .map(one => one.tagName === 'TABLE' ?
          `table ${one.caption.textContent}: ${one.tHead.rows[0].cells.length} columns, ` +
              `${one.tBodies[0].rows.length} rows` :
          `${one.tagName} ${one.getAttribute('aria-label') || one.textContent}`.trim());
}

/** Tasks that have room in the timeline and are not drawn there. */
function checkDrawn() {
  const timeline = report.timeline;
  timeline.showAll();
  timeline.draw();
  const ratio = timeline.canvas.width / timeline.width;
  // A copy, for pixels that are read one by one.
  const copy = document.createElement('canvas');
  copy.width = timeline.canvas.width;
  copy.height = timeline.canvas.height;
  const context = copy.getContext('2d', {willReadFrequently: true});
  context.drawImage(timeline.canvas, 0, 0);
  const paper = readColour(getComputedStyle(document.body).backgroundColor);
  const wrong = [];
  for (const row of timeline.rows) {
    if (row.stream === undefined)
      continue;
    for (const task of row.program.lanes[row.stream]) {
      const x = timeline.toX(row.program.start[task]);
      const width = timeline.toX(row.program.end[task]) - x;
      if (width < 6 || wrong.length > 4)
        continue;
      const [r, g, b] = context.getImageData(
          Math.round((x + 2.5) * ratio), Math.round((row.y + 5) * ratio), 1, 1).data;
      if (r === paper.r && g === paper.g && b === paper.b)
        wrong.push(`task ${task}`);
    }
  }
  return wrong;
}

/** What a reader on paper would miss. */
function checkPrinted() {
  const found = [];
  for (const one of document.querySelectorAll('.wide'))
    if (one.scrollHeight > one.clientHeight + 1)
      found.push(`cut: ${one.getAttribute('aria-label')}`);
  for (const one of document.querySelectorAll('nav, .tools'))
    if (one.checkVisibility())
      found.push(`on paper: ${one.className || one.tagName}`);
  return found;
}
