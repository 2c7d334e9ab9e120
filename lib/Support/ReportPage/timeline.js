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
    new ResizeObserver(() => this.draw()).observe(canvas);
    for (const query of ['(prefers-color-scheme: dark)', 'print'])
      matchMedia(query).addEventListener('change', () => this.draw());
    this.listen();
  }

  //--- Places -----------------------------------------------------------------

  get gutter() { return Math.min(110, this.width * 0.24); }
  get width() { return this.canvas.clientWidth; }
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

  /** The colour of a task: of its layer and phase, its name, or its stream. */
  colour(program, task, isDark) {
    const kind = kindOf(program, task);
    let place = 0, isSecond = kind.phase === 'bwd';
    if (this.colouring === 'layer') {
      place = program.layerPlace.get(program.layer[task]);
    } else if (this.colouring === 'name') {
      this.names = this.names || new Map();
      const name = getBaseName(kind);
      if (!this.names.has(name))
        this.names.set(name, this.names.size);
      place = this.names.get(name);
    } else {
      place = kind.stream;
    }
    const hue = kHues[place % kHues.length];
    if (isDark)
      return `hsl(${hue} 45% ${isSecond ? 26 : 38}%)`;
    return `hsl(${hue} 60% ${isSecond ? 64 : 80}%)`;
  }

  draw() {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const width = this.width;
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
    // Tasks of less than a point are one with those beside them.
    let lastX = -1, lastColour = '', texts = [], criticalTo = -1;
    for (let i = this.findFirst(program, lane, this.from); i < lane.length; ++i) {
      const task = lane[i];
      if (program.start[task] > this.to)
        break;
      const x = this.toX(program.start[task]), to = this.toX(program.end[task]);
      const width = Math.max(to - x, 0.75);
      const colour = this.colour(program, task, colours.isDark);
      if (to > lastX + 0.4 || colour !== lastColour && to > lastX) {
        context.fillStyle = colour;
        context.fillRect(x, y + 3, width, kLane - 6);
        lastX = Math.max(to, x + width);
        lastColour = colour;
      }
      if (width > 3) {
        context.fillStyle = colours.paper;
        context.fillRect(to - 0.75, y + 3, 0.75, kLane - 6);
      }
      if (program.isCritical[task] && to > criticalTo) {
        context.fillStyle = colours.mark;
        context.fillRect(x, y + kLane - 6, width, 4);
        criticalTo = x + width;
      }
      if (width > 30)
        texts.push([task, Math.max(x, this.gutter), Math.min(to, this.width)]);
    }
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
    let column = -1, most = 0;
    for (let i = Math.max(0, low - 1); i < uses.length; ++i) {
      if (uses[i][0] > this.to)
        break;
      const x = Math.max(this.toX(uses[i][0]), this.gutter);
      const next = i + 1 < uses.length ? uses[i + 1][0] : program.makespanUs;
      const to = Math.min(this.toX(next), this.width);
      // Of the changes within a point the most is seen.
      most = Math.floor(x) === column ? Math.max(most, uses[i][1]) : uses[i][1];
      column = Math.floor(x);
      const share = most / peak * height;
      context.fillRect(x, y + height - share, Math.max(0.75, to - x), share);
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

  //--- Pointer and keys -------------------------------------------------------

  select(program, task) {
    this.selected = {program, task};
    this.onSelect(program, task);
    this.request();
  }

  listen() {
    const {canvas} = this;
    let drag = null;
    const point = event => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener('wheel', event => {
      const [x] = point(event);
      if (event.ctrlKey || event.metaKey)
        this.zoom(Math.exp(event.deltaY * 0.004), this.toUs(x));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        this.pan((event.deltaX || event.deltaY) / this.width);
      else
        return;
      event.preventDefault();
    }, {passive: false});
    canvas.addEventListener('pointerdown', event => {
      const [x, y] = point(event);
      drag = {x, y, from: this.from, to: this.to, moved: false};
    });
    canvas.addEventListener('pointermove', event => {
      const [x, y] = point(event);
      if (drag && event.buttons) {
        const by = (drag.x - x) / this.scale;
        drag.moved = drag.moved || Math.abs(drag.x - x) > 3;
        if (drag.moved) {
          hideTip();
          this.show(drag.from + by, drag.to + by);
        }
        return;
      }
      const found = this.find(x, y);
      if (found)
        showTip(event.clientX, event.clientY,
                describeTask(found.program, found.task).join('\n'));
      else
        hideTip();
    });
    canvas.addEventListener('pointerup', event => {
      const [x, y] = point(event);
      const found = drag && !drag.moved && this.find(x, y);
      drag = null;
      if (found)
        this.select(found.program, found.task);
    });
    canvas.addEventListener('pointerleave', hideTip);
    canvas.addEventListener('dblclick', event => {
      const found = this.find(...point(event));
      if (found)
        this.showTask(found.program, found.task);
    });
    canvas.addEventListener('keydown', event => this.onKey(event));
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey)
      return;
    const actions = {
      '+': () => this.zoom(0.5), '=': () => this.zoom(0.5),
      '-': () => this.zoom(2), '0': () => this.showAll(),
      'ArrowLeft': () => event.shiftKey ? this.pan(-0.25) : this.step(-1),
      'ArrowRight': () => event.shiftKey ? this.pan(0.25) : this.step(1),
      'ArrowUp': () => this.stepLane(-1), 'ArrowDown': () => this.stepLane(1),
      'Enter': () => this.selected &&
          this.showTask(this.selected.program, this.selected.task),
      'w': () => this.stepCause(), 'c': () => this.stepCritical(),
    };
    if (!actions[event.key])
      return;
    event.preventDefault();
    actions[event.key]();
  }

  /** Selects a task, and shows it if it is out of sight. */
  go(program, task) {
    this.select(program, task);
    const us = this.to - this.from;
    if (program.end[task] < this.from || program.start[task] > this.to)
      this.show(program.start[task] - us / 4, program.start[task] + us * 3 / 4);
  }
  start() {
    const row = this.rows.find(r => r.stream !== undefined &&
                                    r.program.lanes[r.stream].length);
    if (row)
      this.go(row.program, row.program.lanes[row.stream][0]);
  }
  step(by) {
    if (!this.selected)
      return this.start();
    const {program, task} = this.selected;
    const lane = program.lanes[kindOf(program, task).stream];
    const place = lane.indexOf(task) + by;
    if (place >= 0 && place < lane.length)
      this.go(program, lane[place]);
  }
  stepLane(by) {
    if (!this.selected)
      return this.start();
    const {program, task} = this.selected;
    const lanes = this.rows.filter(r => r.stream !== undefined &&
                                        r.program.lanes[r.stream].length);
    const at = lanes.findIndex(r => r.program === program &&
                                    r.stream === kindOf(program, task).stream);
    const row = lanes[at + by];
    if (!row)
      return;
    const lane = row.program.lanes[row.stream];
    const place = this.findFirst(row.program, lane, program.start[task]);
    this.go(row.program, lane[Math.min(place, lane.length - 1)]);
  }
  stepCause() {
    if (!this.selected)
      return;
    const cause = findCause(this.selected.program, this.selected.task);
    if (cause >= 0)
      this.go(this.selected.program, cause);
  }
  stepCritical() {
    const program = this.selected ? this.selected.program : this.programs[0];
    const at = this.selected ? program.critical.indexOf(this.selected.task) : -1;
    const next = program.critical[at + 1];
    if (next !== undefined)
      this.go(program, next);
  }
}
