// The timeline: lanes of streams on a canvas, programs above each other on one
// axis, memory below each. All that is drawn comes from the model.

const kLane = 26, kTitle = 24, kMemory = 44, kAxis = 30;
const kHues = [212, 28, 150, 280, 48, 340, 180, 95];

class Timeline {
  constructor(canvas, programs, onSelect) {
    this.canvas = canvas;
    this.programs = programs;
    this.onSelect = onSelect;
    this.longestUs = Math.max(1e-9, ...programs.map(p => p.makespanUs));
    this.from = 0;
    this.to = this.longestUs;
    this.colouring = 'layer';
    this.selected = null;
    this.labels = [];
    this.rows = [];
    let y = kAxis;
    for (const program of programs) {
      this.rows.push({program, title: y});
      y += kTitle;
      program.lanes.forEach((lane, stream) => {
        this.rows.push({program, stream, y});
        y += kLane;
      });
      this.rows.push({program, memory: y + 6});
      y += kMemory;
    }
    this.height = y + 4;
    canvas.style.height = `${this.height}px`;
    this.measure();
    new ResizeObserver(() => this.draw()).observe(canvas);
    for (const query of ['(prefers-color-scheme: dark)', 'print'])
      matchMedia(query).addEventListener('change', () => this.draw());
    this.listen();
  }

  //--- Places -----------------------------------------------------------------

  /** Asks how wide the canvas is: once for all that is drawn, as it takes time. */
  measure() {
    this.width = this.canvas.clientWidth;
    this.gutter = Math.min(110, this.width * 0.24);
  }
  get scale() { return (this.width - this.gutter) / (this.to - this.from); }
  toX(us) { return this.gutter + (us - this.from) * this.scale; }
  toUs(x) { return this.from + (x - this.gutter) / this.scale; }

  /** Shows a range of time, as near to it as there is. */
  show(from, to) {
    const least = this.longestUs * 1e-7;
    const width = Math.min(this.longestUs, Math.max(least, to - from));
    this.from = Math.min(Math.max(0, from), this.longestUs - width);
    this.to = this.from + width;
    this.request();
  }
  showAll() { this.show(0, this.longestUs); }
  zoom(factor, aroundUs = (this.from + this.to) / 2) {
    this.show(aroundUs - (aroundUs - this.from) * factor,
              aroundUs + (this.to - aroundUs) * factor);
  }
  pan(part) {
    const by = (this.to - this.from) * part;
    this.show(this.from + by, this.to + by);
  }
  /** Shows a task, with as much beside it. */
  showTask(program, task) {
    const us = Math.max(program.end[task] - program.start[task],
                        this.longestUs * 1e-6);
    this.show(program.start[task] - us, program.end[task] + us);
  }

  /** The first task of a lane that ends behind an instant. */
  findFirst(program, lane, us) {
    let low = 0, high = lane.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (program.end[lane[middle]] <= us)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /** The program and task at a point of the canvas; null for none. */
  find(x, y) {
    const row = this.rows.find(r => r.stream !== undefined && y >= r.y &&
                                    y < r.y + kLane);
    if (!row || x < this.gutter)
      return null;
    const {program} = row;
    const lane = program.lanes[row.stream];
    // A task of less than a point is found around it.
    const slack = 2 / this.scale, us = this.toUs(x);
    const first = this.findFirst(program, lane, us - slack);
    let best = null;
    for (let i = first; i < lane.length; ++i) {
      const task = lane[i];
      if (program.start[task] > us + slack)
        break;
      const distance = Math.max(program.start[task] - us,
                                us - program.end[task], 0);
      if (!best || distance < best.distance)
        best = {program, task, distance};
    }
    return best;
  }

  //--- Drawing ----------------------------------------------------------------

  request() {
    if (this.pending)
      return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const get = name => style.getPropertyValue(name).trim();
    const isDark = !matchMedia('print').matches &&
        matchMedia('(prefers-color-scheme: dark)').matches;
    return {isDark, paper: get('--paper'), panel: get('--panel'),
            ink: get('--ink'), soft: get('--soft'), line: get('--line'),
            mark: get('--mark'), bar: get('--bar')};
  }

  /**
   * The hue of each task, of its layer, its name, or its stream, with the
   * backward ones behind the others; found once a colouring.
   */
  hues(program) {
    const cache = this.hueCache = this.hueCache || new Map();
    const key = `${this.programs.indexOf(program)} ${this.colouring}`;
    if (cache.has(key))
      return cache.get(key);
    this.names = this.names || new Map();
    this.layers = this.layers || new Map();
    const count = kHues.length;
    const hues = new Uint8Array(program.count);
    for (let i = 0; i < program.count; ++i) {
      const kind = kindOf(program, i);
      let place = kind.stream;
      if (this.colouring === 'layer') {
        // One colour a layer in all programs.
        const layer = program.layer[i];
        if (!this.layers.has(layer))
          this.layers.set(layer, this.layers.size);
        place = this.layers.get(layer);
      } else if (this.colouring === 'name') {
        const name = getBaseName(kind);
        if (!this.names.has(name))
          this.names.set(name, this.names.size);
        place = this.names.get(name);
      }
      hues[i] = place % count + (kind.phase === 'bwd' ? count : 0);
    }
    cache.set(key, hues);
    return hues;
  }

  /** What the numbers of `hues` stand for. */
  palette(isDark) {
    return kHues.map(hue => isDark ? `hsl(${hue} 45% 38%)` : `hsl(${hue} 60% 80%)`)
        .concat(kHues.map(hue => isDark ? `hsl(${hue} 45% 26%)` :
                                          `hsl(${hue} 60% 64%)`));
  }

  draw() {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    this.measure();
    const {width} = this;
    if (!width)
      return;
    const pixels = Math.round(width * ratio);
    if (this.canvas.width !== pixels ||
        this.canvas.height !== Math.round(this.height * ratio)) {
      this.canvas.width = pixels;
      this.canvas.height = Math.round(this.height * ratio);
    }
    const context = this.context = this.canvas.getContext('2d');
    const colours = this.colours();
    this.labels = [];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, width, this.height);
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    this.drawAxis(context, colours);
    for (const row of this.rows)
      if (row.title !== undefined)
        this.drawTitle(context, colours, row);
      else if (row.memory !== undefined)
        this.drawMemory(context, colours, row);
      else
        this.drawLane(context, colours, row);
    this.drawSelection(context, colours);
  }

  /** Writes a text in a box, shortened to it; nothing where it has no room. */
  write(context, text, x, y, room, colour) {
    let shown = text;
    if (context.measureText(shown).width > room) {
      const least = context.measureText('…').width;
      if (room < least * 2)
        return;
      let length = Math.floor(text.length * room /
                              context.measureText(text).width);
      while (length > 0 &&
             context.measureText(shown = text.slice(0, length) + '…').width >
                 room)
        --length;
      if (length <= 0)
        return;
    }
    context.fillStyle = colour;
    context.fillText(shown, x, y);
    this.labels.push({text: shown, x, y: y - 7, height: 14,
                      width: context.measureText(shown).width});
  }

  drawAxis(context, colours) {
    const rough = (this.to - this.from) / Math.max(1, (this.width - this.gutter) / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find(f => f * power >= rough);
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    this.write(context, 'time', 4, kAxis / 2, this.gutter - 8, colours.soft);
    for (let us = Math.ceil(this.from / step) * step; us <= this.to; us += step) {
      const x = this.toX(us);
      context.fillStyle = colours.line;
      context.fillRect(x, kAxis - 6, 1, this.height - kAxis);
      const text = `${format(us, digits)} us`;
      const half = context.measureText(text).width / 2;
      if (x - half >= this.gutter - 10 && x + half <= this.width)
        this.write(context, text, x - half, kAxis / 2, 2 * half + 1,
                   colours.soft);
    }
  }

  drawTitle(context, colours, row) {
    context.fillStyle = colours.line;
    context.fillRect(0, row.title, this.width, 1);
    const {program} = row;
    this.write(context, `${program.title}: ${formatUs(program.makespanUs)}`, 4,
               row.title + kTitle / 2 + 1, this.width - 8, colours.ink);
    const x = this.toX(program.makespanUs);
    if (x >= this.gutter && x <= this.width) {
      context.fillStyle = colours.mark;
      context.fillRect(x - 1, row.title + kTitle,
                       2, program.lanes.length * kLane);
    }
  }

  drawLane(context, colours, row) {
    const {program, stream, y} = row;
    const lane = program.lanes[stream];
    this.write(context, program.streams[stream].name, 4, y + kLane / 2,
               this.gutter - 8, colours.ink);
    context.save();
    context.beginPath();
    context.rect(this.gutter, y, this.width - this.gutter, kLane);
    context.clip();
    // Tasks of less than a point share it, and the first of them is seen: what is
    // drawn grows with the points there are, not with the tasks.
    const hues = this.hues(program);
    const boxes = Array.from({length: 2 * kHues.length}, () => []);
    const ends = [], critical = [], texts = [];
    let point = -1, criticalPoint = -1;
    for (let i = this.findFirst(program, lane, this.from); i < lane.length; ++i) {
      const task = lane[i];
      if (program.start[task] > this.to)
        break;
      const x = Math.max(this.toX(program.start[task]), this.gutter - 2);
      const to = Math.min(this.toX(program.end[task]), this.width + 2);
      const width = Math.max(to - x, 0.75);
      if (width >= 1 || Math.floor(x) !== point)
        boxes[hues[task]].push(x, width);
      if (program.isCritical[task] && (width >= 1 || Math.floor(x) !== criticalPoint)) {
        critical.push(x, width);
        criticalPoint = Math.floor(x);
      }
      point = Math.floor(x);
      if (width > 3)
        ends.push(to - 0.75, 0.75);
      if (width > 30)
        texts.push([task, Math.max(x, this.gutter), Math.min(to, this.width)]);
    }
    const fill = (list, colour, top, height) => {
      context.fillStyle = colour;
      for (let i = 0; i < list.length; i += 2)
        context.fillRect(list[i], top, list[i + 1], height);
    };
    this.palette(colours.isDark).forEach((colour, hue) =>
        fill(boxes[hue], colour, y + 3, kLane - 6));
    fill(ends, colours.paper, y + 3, kLane - 6);
    fill(critical, colours.mark, y + kLane - 6, 4);
    for (const [task, x, to] of texts)
      this.write(context, `${nameTask(program, task)} ${program.layer[task]}`.trim(),
                 x + 4, y + kLane / 2 - 1, to - x - 8, colours.ink);
    context.restore();
  }

  drawMemory(context, colours, row) {
    const {program} = row;
    const peak = Math.max(1, program.json.peak_bytes);
    const height = kMemory - 12, y = row.memory;
    this.write(context, 'memory', 4, y + 9, this.gutter - 8, colours.soft);
    this.write(context, formatBytes(peak), 4, y + 25, this.gutter - 8,
               colours.soft);
    context.save();
    context.beginPath();
    context.rect(this.gutter, y, this.width - this.gutter, height);
    context.clip();
    context.fillStyle = colours.bar;
    const uses = program.memory;
    let low = 0, high = uses.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (uses[middle][0] <= this.from)
        low = middle + 1;
      else
        high = middle;
    }
    let most = 0;
    for (let i = Math.max(0, low - 1); i < uses.length; ++i) {
      if (uses[i][0] > this.to)
        break;
      const x = Math.max(this.toX(uses[i][0]), this.gutter);
      const next = i + 1 < uses.length ? uses[i + 1][0] : program.makespanUs;
      const to = Math.min(this.toX(next), this.width);
      // Of the changes within a point the most is seen.
      most = Math.max(most, uses[i][1]);
      if (Math.floor(to) === Math.floor(x) && i + 1 < uses.length)
        continue;
      const share = most / peak * height;
      const left = Math.floor(x);
      context.fillRect(left, y + height - share, Math.max(1, to - left), share);
      most = 0;
    }
    context.restore();
  }

  drawSelection(context, colours) {
    if (!this.selected)
      return;
    const {program, task} = this.selected;
    const row = this.rows.find(r => r.program === program &&
                                    r.stream === kindOf(program, task).stream);
    const x = Math.max(this.toX(program.start[task]), this.gutter);
    const to = Math.min(this.toX(program.end[task]), this.width);
    if (to < this.gutter || x > this.width)
      return;
    context.strokeStyle = colours.ink;
    context.lineWidth = 2;
    context.strokeRect(x, row.y + 2, Math.max(2, to - x), kLane - 4);
  }
}
