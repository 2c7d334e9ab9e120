// What pointer and keys do to the timeline.

Object.assign(Timeline.prototype, {
  select(program, task) {
    this.selected = {program, task};
    this.onSelect(program, task);
    this.request();
  },

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
  },

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
  },

  /** Selects a task, and shows it if it is out of sight. */
  go(program, task) {
    this.select(program, task);
    const us = this.to - this.from;
    if (program.end[task] < this.from || program.start[task] > this.to)
      this.show(program.start[task] - us / 4, program.start[task] + us * 3 / 4);
  },
  start() {
    const row = this.rows.find(r => r.stream !== undefined &&
                                    r.program.lanes[r.stream].length);
    if (row)
      this.go(row.program, row.program.lanes[row.stream][0]);
  },
  step(by) {
    if (!this.selected)
      return this.start();
    const {program, task} = this.selected;
    const lane = program.lanes[kindOf(program, task).stream];
    const place = lane.indexOf(task) + by;
    if (place >= 0 && place < lane.length)
      this.go(program, lane[place]);
  },
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
  },
  stepCause() {
    if (!this.selected)
      return;
    const cause = findCause(this.selected.program, this.selected.task);
    if (cause >= 0)
      this.go(this.selected.program, cause);
  },
  stepCritical() {
    const program = this.selected ? this.selected.program : this.programs[0];
    const at = this.selected ? program.critical.indexOf(this.selected.task) : -1;
    const next = program.critical[at + 1];
    if (next !== undefined)
      this.go(program, next);
  },
});
