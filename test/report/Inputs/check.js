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
