"use strict";
// The embedding of a page: points by WebGL, or pixel by pixel where there is none.
(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  const byId = (name) => document.getElementById(name);
  const make = (tag, text = "", name = "") => {
    const item = document.createElement(tag);
    if (text) item.textContent = text;
    if (name) item.className = name;
    return item;
  };
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const whole = (value) => value.toLocaleString("en-US");
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  // Data

  const TYPES = { f4: Float32Array, f8: Float64Array, u2: Uint16Array };
  function unpack(packed) {
    const text = atob(packed.data), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const values = new TYPES[packed.type](bytes.buffer);
    if (!packed.step) return values;
    return Float32Array.from(values, (value, i) => packed.low[i % 3] + value * packed.step[i % 3]);
  }
  const n = page.rows, names = page.names, deep = page.axes.length > 2;
  const own = unpack(page.scores); // three a row
  const frames = page.frames.map((frame) => ({ ...frame, scores: unpack(frame.scores) }));
  const columns = page.columns.map((column) => ({
    ...column,
    values: column.values ? unpack(column.values) : null,
    digits: column.values && column.values.type === "f8" ? 15 : 7,
  }));
  const MISSING = 65535;
  const scores = Float32Array.from(own);
  const hidden = new Uint8Array(n); // by the legend
  const selected = new Uint8Array(n);
  const colors = new Uint8Array(4 * n);
  let matches = null; // rows that are found, or null
  let anySelected = false;
  let chosen = -1; // the column of the colours
  let space = false;
  let hovered = -1;

  const number = (value, digits = 7) => (Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : "—");
  function cell(column, i) {
    if (column.texts) return column.texts[i] || "—";
    const value = column.values[i];
    if (column.words) return value === MISSING ? "—" : column.words[value];
    return number(value, column.digits);
  }
  const nameOf = (i) => (names ? names[i] : `row ${i + 1}`);

  // Colours

  const VIRIDIS = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];
  const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const SHADES = Array.from({ length: 256 }, (_, k) => {
    const at = (k / 255) * (VIRIDIS.length - 1), low = Math.min(Math.floor(at), VIRIDIS.length - 2);
    const a = rgb(VIRIDIS[low]), b = rgb(VIRIDIS[low + 1]);
    return a.map((x, i) => Math.round(x + (b[i] - x) * (at - low)));
  });
  const GREY = [123, 131, 143];
  function classColor(code) {
    const palette = dark.matches ? page.palette.dark : page.palette.light;
    if (code === MISSING) return GREY;
    const color = rgb(palette[code % palette.length]), round = Math.floor(code / palette.length) % 3;
    // Beyond the palette the same colours come again, lighter and then darker.
    return round ? color.map((x) => Math.round(round === 1 ? x + (255 - x) * 0.45 : x * 0.55)) : color;
  }
  function range(values) {
    let low = Infinity, high = -Infinity;
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low, high];
  }
  function paint() {
    const column = chosen < 0 ? null : columns[chosen];
    const [low, high] = column && !column.words ? range(column.values) : [0, 1];
    const words = column && column.words ? column.words.map((_, code) => classColor(code)) : null;
    const full = n > 50000 ? 150 : n > 5000 ? 190 : 225;
    for (let i = 0; i < n; i++) {
      let color = GREY;
      if (words) color = words[column.values[i]] || GREY;
      else if (column && Number.isFinite(column.values[i])) color = SHADES[high > low ? Math.round((255 * (column.values[i] - low)) / (high - low)) : 128];
      const lit = matches ? matches[i] : !anySelected || selected[i];
      colors[4 * i] = color[0];
      colors[4 * i + 1] = color[1];
      colors[4 * i + 2] = color[2];
      colors[4 * i + 3] = hidden[i] ? 0 : lit ? (matches || anySelected ? 240 : full) : 28;
    }
    upload("colors", colors);
    sort();
    draw();
  }

  // View: a rectangle of the plane, or a camera around the middle

  const TURNED = { azimuth: -0.9, elevation: 0.4, zoom: 1 };
  const LEFT = 46, BOTTOM = 36, EDGE = 14; // room for the ticks
  const canvas = byId("points"), over = byId("over"), pen = over.getContext("2d");
  let view = null, camera = { ...TURNED }, width = 1, height = 1;
  const box = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity];
  for (const each of [own, ...frames.map((frame) => frame.scores)]) {
    for (let i = 0; i < 3 * n; i++) {
      const axis = 2 * (i % 3), value = each[i];
      if (value < box[axis]) box[axis] = value;
      if (value > box[axis + 1]) box[axis + 1] = value;
    }
  }
  const middle = [0, 1, 2].map((axis) => (box[2 * axis] + box[2 * axis + 1]) / 2);
  const reach = Math.hypot(box[1] - box[0], box[3] - box[2], box[5] - box[4]) || 1;
  function reset() {
    const wide = Math.max(width - LEFT - EDGE, 40), tall = Math.max(height - BOTTOM - 44, 40);
    const unit = Math.max((box[1] - box[0]) / wide, (box[3] - box[2]) / tall, reach * 1e-9) * 1.06;
    view = { x: middle[0] - ((LEFT - EDGE) / 2) * unit, y: middle[1] - ((BOTTOM - 44) / 2) * unit, unit };
    camera = { ...TURNED };
    moved();
  }
  // Rows that take scores to −1 … 1 of the canvas, and to their depth.
  function matrix() {
    if (!space) {
      const sx = 2 / (view.unit * width), sy = 2 / (view.unit * height);
      return [sx, 0, 0, -view.x * sx, 0, sy, 0, -view.y * sy, 0, 0, 1, 0];
    }
    const ca = Math.cos(camera.azimuth), sa = Math.sin(camera.azimuth);
    const ce = Math.cos(camera.elevation), se = Math.sin(camera.elevation);
    const scale = (1.75 * camera.zoom) / reach, side = Math.min(width, height);
    const right = [-sa, ca, 0].map((x) => (x * scale * side) / width);
    const up = [-se * ca, -se * sa, ce].map((x) => (x * scale * side) / height);
    const near = [ce * ca, ce * sa, se];
    const shift = (row) => -(row[0] * middle[0] + row[1] * middle[1] + row[2] * middle[2]);
    return [...right, shift(right), ...up, shift(up), ...near, shift(near)];
  }
  function place(x, y, z, m) {
    return [((m[0] * x + m[1] * y + m[2] * z + m[3] + 1) * width) / 2, ((1 - (m[4] * x + m[5] * y + m[6] * z + m[7])) * height) / 2];
  }
  const placeOf = (i, m = matrix()) => place(scores[3 * i], scores[3 * i + 1], scores[3 * i + 2], m);
  const radius = () => clamp(260 / Math.sqrt(n), 1.4, 4.5) * (space ? 1 : clamp(Math.sqrt(first / view.unit), 1, 1.8));
  let first = 1; // units of a pixel when all is shown

  // The order of drawing: far before near, faint before lit

  const order = Uint32Array.from({ length: n }, (_, i) => i);
  const BINS = 1024, bins = new Uint16Array(n), starts = new Uint32Array(BINS + 1);
  function sort() {
    const m = matrix(), scale = (BINS - 2) / reach / 2;
    starts.fill(0);
    for (let i = 0; i < n; i++) {
      const lit = colors[4 * i + 3] > 28;
      const depth = space ? m[8] * scores[3 * i] + m[9] * scores[3 * i + 1] + m[10] * scores[3 * i + 2] + m[11] : 0;
      bins[i] = lit ? clamp(BINS / 2 + depth * scale * 2, 1, BINS - 1) : 0;
      starts[bins[i] + 1]++;
    }
    for (let k = 0; k < BINS; k++) starts[k + 1] += starts[k];
    for (let i = 0; i < n; i++) order[starts[bins[i]]++] = i;
    upload("order", order);
  }

  // Drawing

  const wanted = new URLSearchParams(location.search).get("draw") !== "canvas";
  let gl = wanted ? canvas.getContext("webgl2", { antialias: false, preserveDrawingBuffer: true }) : null;
  const flat = gl ? null : canvas.getContext("2d");
  let program = null, buffers = {}, uniforms = {};
  function startGl() {
    const compile = (type, source) => {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    };
    program = gl.createProgram();
    compile(gl.VERTEX_SHADER, `
      attribute vec3 score; attribute vec4 color; uniform vec4 right, up; uniform mediump float size; varying vec4 tint;
      void main() { vec4 p = vec4(score, 1.0); gl_Position = vec4(dot(right, p), dot(up, p), 0.0, 1.0); gl_PointSize = size + 1.0; tint = color; }`);
    compile(gl.FRAGMENT_SHADER, `
      precision mediump float; varying vec4 tint; uniform mediump float size;
      void main() { float a = tint.a * clamp(size / 2.0 + 0.5 - length(gl_PointCoord - 0.5) * (size + 1.0), 0.0, 1.0); if (a == 0.0) discard; gl_FragColor = vec4(tint.rgb * a, a); }`);
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    for (const name of ["right", "up", "size"]) uniforms[name] = gl.getUniformLocation(program, name);
    for (const [key, attribute, count, type] of [["scores", "score", 3, gl.FLOAT], ["colors", "color", 4, gl.UNSIGNED_BYTE]]) {
      buffers[key] = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[key]);
      const at = gl.getAttribLocation(program, attribute);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, count, type, type !== gl.FLOAT, 0, 0);
    }
    buffers.order = gl.createBuffer();
  }
  function upload(key, values) {
    if (!gl) return;
    const target = key === "order" ? gl.ELEMENT_ARRAY_BUFFER : gl.ARRAY_BUFFER;
    gl.bindBuffer(target, buffers[key]);
    gl.bufferData(target, values, gl.DYNAMIC_DRAW);
  }
  function drawGl(m, size) {
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform4f(uniforms.right, m[0], m[1], m[2], m[3]);
    gl.uniform4f(uniforms.up, m[4], m[5], m[6], m[7]);
    gl.uniform1f(uniforms.size, size);
    gl.drawElements(gl.POINTS, n, gl.UNSIGNED_INT, 0);
  }
  let image = null;
  function drawPixels(m, size) {
    const w = canvas.width, h = canvas.height, ground = rgb(style("--card").length === 4 ? "#ffffff" : style("--card"));
    if (!image || image.width !== w || image.height !== h) image = flat.createImageData(w, h);
    const pixels = image.data, words = new Uint32Array(pixels.buffer);
    words.fill((255 << 24) | (ground[2] << 16) | (ground[1] << 8) | ground[0]);
    const r = size / 2, far = Math.ceil(r + 0.5);
    for (const i of order) {
      const opaque = colors[4 * i + 3] / 255;
      if (!opaque) continue;
      const s = 3 * i;
      const x = ((m[0] * scores[s] + m[1] * scores[s + 1] + m[2] * scores[s + 2] + m[3] + 1) * w) / 2;
      const y = ((1 - (m[4] * scores[s] + m[5] * scores[s + 1] + m[6] * scores[s + 2] + m[7])) * h) / 2;
      if (x < far || y < far || x >= w - far || y >= h - far) continue;
      const cr = colors[4 * i], cg = colors[4 * i + 1], cb = colors[4 * i + 2];
      const top = Math.floor(y - far), bottom = Math.ceil(y + far), start = Math.floor(x - far), end = Math.ceil(x + far);
      for (let py = Math.max(top, 0); py < bottom; py++) {
        for (let px = Math.max(start, 0); px < end; px++) {
          const dx = px + 0.5 - x, dy = py + 0.5 - y, inside = r + 0.5 - Math.sqrt(dx * dx + dy * dy);
          if (inside <= 0) continue;
          const a = inside >= 1 ? opaque : opaque * inside, at = 4 * (py * w + px);
          pixels[at] += (cr - pixels[at]) * a;
          pixels[at + 1] += (cg - pixels[at + 1]) * a;
          pixels[at + 2] += (cb - pixels[at + 2]) * a;
        }
      }
    }
    flat.putImageData(image, 0, 0);
  }
  if (gl) {
    startGl();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { startGl(); upload("scores", scores); paint(); });
  }
  let due = false;
  function draw() {
    if (due) return;
    due = true;
    requestAnimationFrame(() => { due = false; drawNow(); });
  }
  function moved() {
    index = null;
    if (space) sort();
    draw();
  }
  function drawNow() {
    const m = matrix(), size = 2 * radius() * devicePixelRatio;
    gl ? drawGl(m, size) : drawPixels(m, size);
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, width, height);
    space ? drawEdges(m) : drawTicks();
    pen.strokeStyle = style("--text");
    pen.lineWidth = 2;
    if (hovered >= 0 && !hidden[hovered]) {
      pen.beginPath();
      pen.arc(...placeOf(hovered, m), radius() + 4, 0, 7);
      pen.stroke();
    }
    if (loop) {
      pen.strokeStyle = pen.fillStyle = style("--accent");
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (const [x, y] of loop) pen.lineTo(x, y);
      pen.closePath();
      pen.stroke();
      pen.globalAlpha = 0.08;
      pen.fill();
      pen.globalAlpha = 1;
    }
    document.body.dataset.drawn = String(Number(document.body.dataset.drawn || 0) + 1);
  }

  // Axes

  const FONT = "11px system-ui, sans-serif";
  let titles = [];
  function ticks(low, high, most) {
    const raw = (high - low) / Math.max(most, 1), power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 5, 10].find((each) => each * power >= raw);
    const found = [], digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    for (let k = Math.ceil(low / step); k * step <= high && found.length < 50; k++) {
      const value = k * step;
      const text = Math.abs(step) < 1e-4 || Math.abs(step) >= 1e6 ? (k ? value.toExponential(1) : "0") : value.toFixed(digits);
      found.push([value, text.replace("-", "−")]);
    }
    return found;
  }
  function drawTicks() {
    const toX = (value) => width / 2 + (value - view.x) / view.unit, toY = (value) => height / 2 - (value - view.y) / view.unit;
    const ofX = (x) => view.x + (x - width / 2) * view.unit, ofY = (y) => view.y - (y - height / 2) * view.unit;
    const bottom = height - BOTTOM;
    pen.font = FONT;
    pen.fillStyle = style("--card");
    pen.fillRect(0, 0, LEFT, height);
    pen.fillRect(0, bottom, width, BOTTOM);
    pen.lineWidth = 1;
    pen.strokeStyle = style("--line");
    pen.beginPath();
    pen.moveTo(LEFT + 0.5, 0);
    pen.lineTo(LEFT + 0.5, bottom + 0.5);
    pen.lineTo(width, bottom + 0.5);
    pen.stroke();
    pen.fillStyle = style("--muted");
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const mark = (x, y, dx, dy) => { pen.beginPath(); pen.moveTo(Math.round(x) + 0.5, Math.round(y) + 0.5); pen.lineTo(Math.round(x + dx) + 0.5, Math.round(y + dy) + 0.5); pen.stroke(); };
    for (const [value, text] of ticks(ofX(LEFT + 12), ofX(width - 16), width / 110)) {
      mark(toX(value), bottom, 0, 4);
      pen.fillText(text, toX(value), bottom + 6);
    }
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const [value, text] of ticks(ofY(bottom - 6), ofY(10), height / 80)) {
      mark(LEFT, toY(value), -4, 0);
      pen.fillText(text, LEFT - 7, toY(value), LEFT - 18);
    }
    pen.fillStyle = style("--text");
    pen.textBaseline = "alphabetic";
    pen.fillText(titles[0] || "", width - EDGE, height - 5);
    if (titles[1]) {
      pen.save();
      pen.translate(11, 10);
      pen.rotate(-Math.PI / 2);
      pen.fillText(titles[1], 0, 0);
      pen.restore();
    }
  }
  // The box around all points, its axes named.
  function drawEdges(m) {
    pen.lineWidth = 1;
    pen.strokeStyle = style("--line");
    const corner = (k) => place(box[k & 1], box[2 + ((k >> 1) & 1)], box[4 + ((k >> 2) & 1)], m);
    for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) {
      if (k & bit) continue;
      pen.beginPath();
      pen.moveTo(...corner(k));
      pen.lineTo(...corner(k | bit));
      pen.stroke();
    }
    pen.font = FONT;
    pen.fillStyle = style("--text");
    pen.textBaseline = "middle";
    const heart = place(...middle, m);
    for (const axis of [0, 1, 2]) {
      // The edge along this axis that lies farthest outside on the screen.
      const others = [0, 1, 2].filter((each) => each !== axis);
      let best = null, most = -1;
      for (let k = 0; k < 4; k++) {
        const point = [0, 0, 0];
        point[axis] = middle[axis];
        others.forEach((each, bit) => { point[each] = box[2 * each + ((k >> bit) & 1)]; });
        const at = place(...point, m), away = Math.hypot(at[0] - heart[0], at[1] - heart[1]) + (at[1] - heart[1]) * 0.5;
        if (away > most) { most = away; best = at; }
      }
      const side = best[0] - heart[0];
      pen.textAlign = Math.abs(side) < 20 ? "center" : side > 0 ? "left" : "right";
      const half = pen.measureText(titles[axis]).width + 10;
      pen.fillText(titles[axis], clamp(best[0] + Math.sign(side) * 8, pen.textAlign === "right" ? half : 8, pen.textAlign === "left" ? width - half : width - 8), clamp(best[1] + 10, 40, height - 10));
    }
  }
  function resize() {
    const room = byId("stage").getBoundingClientRect(), before = view && [view, width, height];
    width = Math.max(room.width, 1);
    height = Math.max(room.height, 1);
    for (const each of [canvas, over]) {
      each.width = Math.round(width * devicePixelRatio);
      each.height = Math.round(height * devicePixelRatio);
    }
    const fresh = !before || untouched;
    if (fresh) { reset(); first = view.unit; }
    moved();
    drawNow(); // a canvas of another size is empty until then
  }
  let untouched = true;

  // The nearest point, by cells of the screen

  const CELL = 16;
  let index = null;
  function buildIndex() {
    const m = matrix(), across = Math.ceil(width / CELL) + 1, down = Math.ceil(height / CELL) + 1;
    const cells = new Int32Array(n), from = new Uint32Array(across * down + 2), rows = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const [x, y] = placeOf(i, m), out = hidden[i] || x < 0 || y < 0 || x > width || y > height;
      cells[i] = out ? -1 : Math.floor(y / CELL) * across + Math.floor(x / CELL);
      if (!out) from[cells[i] + 2]++;
    }
    for (let k = 1; k < from.length; k++) from[k] += from[k - 1];
    for (let i = 0; i < n; i++) if (cells[i] >= 0) rows[from[cells[i] + 1]++] = i;
    return { m, across, down, from, rows };
  }
  function nearest(x, y) {
    index = index || buildIndex();
    let best = -1, least = CELL * CELL;
    const cx = Math.floor(x / CELL), cy = Math.floor(y / CELL);
    for (let j = Math.max(cy - 1, 0); j <= Math.min(cy + 1, index.down - 1); j++) for (let i = Math.max(cx - 1, 0); i <= Math.min(cx + 1, index.across - 1); i++) {
      const at = j * index.across + i;
      for (let k = index.from[at]; k < index.from[at + 1]; k++) {
        const row = index.rows[k], [px, py] = placeOf(row, index.m), away = (px - x) ** 2 + (py - y) ** 2;
        if (away < least) { least = away; best = row; }
      }
    }
    return best;
  }
  function hover(i) {
    if (i === hovered) return;
    hovered = i;
    const card = byId("card");
    card.hidden = i < 0;
    card.replaceChildren();
    if (i >= 0) {
      const title = make("b", nameOf(i));
      title.dir = "auto";
      card.append(title);
      if (page.pictures) {
        const picture = make("img");
        picture.alt = "";
        picture.src = page.pictures[i];
        card.append(picture);
      }
      for (const column of columns.slice(0, 14)) {
        const line = make("div"), key = make("span", column.name), value = make("bdi", cell(column, i));
        line.dir = "auto";
        line.append(key, value);
        card.append(line);
      }
      if (columns.length > 14) card.append(make("div", `and ${columns.length - 14} more columns`));
      const [x, y] = placeOf(i), wide = card.offsetWidth, tall = card.offsetHeight;
      card.style.left = `${clamp(x + 16 + wide > width ? x - 16 - wide : x + 16, 4, Math.max(width - wide - 4, 4))}px`;
      card.style.top = `${clamp(y + 16 + tall > height ? y - 16 - tall : y + 16, 4, Math.max(height - tall - 4, 4))}px`;
    }
    draw();
  }

  // Gestures

  let loop = null, lassoing = false;
  const held = new Map(); // pointers that are down, with their places
  const at = (event) => { const room = canvas.getBoundingClientRect(); return [event.clientX - room.left, event.clientY - room.top]; };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, at(event));
    canvas.classList.add("dragged");
    if (lassoing && held.size === 1) loop = [at(event)];
    else loop = null;
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event), before = held.get(event.pointerId);
    if (!before) { hover(nearest(x, y)); return; }
    const [dx, dy] = [x - before[0], y - before[1]];
    const other = [...held.entries()].find(([id]) => id !== event.pointerId);
    held.set(event.pointerId, [x, y]);
    if (loop) { loop.push([x, y]); draw(); return; }
    hover(-1);
    if (other) {
      const apart = (a) => Math.hypot(a[0] - other[1][0], a[1] - other[1][1]) || 1;
      zoom(apart([x, y]) / apart(before), (x + other[1][0]) / 2, (y + other[1][1]) / 2);
    } else if (space) turn(-dx * 0.01, dy * 0.01);
    else pan(-dx, dy);
  });
  const release = (event) => {
    if (loop && loop.length > 2 && event.type === "pointerup") select(loop);
    else if (!lassoing && event.pointerType === "touch") hover(nearest(...at(event)));
    held.delete(event.pointerId);
    canvas.classList.toggle("dragged", held.size > 0);
    loop = null;
    draw();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") hover(-1); });
  canvas.addEventListener("blur", () => hover(-1));
  canvas.addEventListener("dblclick", () => byId("reset").click());
  function pan(dx, dy) {
    untouched = false;
    view.x += dx * view.unit;
    view.y += dy * view.unit;
    moved();
  }
  function turn(azimuth, elevation) {
    camera.azimuth += azimuth;
    camera.elevation = clamp(camera.elevation + elevation, -1.5, 1.5);
    moved();
  }
  function zoom(factor, x = width / 2, y = height / 2) {
    untouched = false;
    if (space) camera.zoom = clamp(camera.zoom * factor, 0.1, 100);
    else {
      const unit = clamp(view.unit / factor, first * 1e-6, first * 20);
      view.x += (x - width / 2) * (view.unit - unit);
      view.y -= (y - height / 2) * (view.unit - unit);
      view.unit = unit;
    }
    moved();
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    hover(-1);
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...at(event));
  }, { passive: false });
  // From row to row: among the selected or found ones where there are any.
  function walk(by) {
    for (let k = 1; k <= n; k++) {
      const i = (((hovered < 0 ? (by > 0 ? -1 : 0) : hovered) + by * k) % n + n) % n;
      if (!hidden[i] && (matches ? matches[i] : !anySelected || selected[i])) { hover(i); return; }
    }
  }
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) space ? turn(0.1 * step[0], 0.1 * step[1]) : pan(40 * step[0], 40 * step[1]);
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") byId("reset").click();
    else if (event.key === "PageDown") walk(1);
    else if (event.key === "PageUp") walk(-1);
    else if (event.key === "Escape") { hover(-1); choose(() => 0); }
    else return;
    event.preventDefault();
  });
  function inside(x, y, edge) {
    let odd = false;
    for (let i = 0, j = edge.length - 1; i < edge.length; j = i++) {
      const [xi, yi] = edge[i], [xj, yj] = edge[j];
      if ((yi > y) !== (yj > y) && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
    }
    return odd;
  }
  function select(edge) {
    const m = matrix();
    choose((i) => (!hidden[i] && inside(...placeOf(i, m), edge) ? 1 : 0));
  }
  function choose(test) {
    let count = 0;
    for (let i = 0; i < n; i++) { selected[i] = test(i); count += selected[i]; }
    anySelected = count > 0;
    if (count && matches) { matches = null; byId("find").value = ""; }
    say();
    paint();
  }
  // What is lit, and its buttons: those of a selection wait while something is looked for.
  function say() {
    const count = (rows) => rows.reduce((sum, each) => sum + each, 0), of = `of ${whole(n)} rows`;
    const hits = matches ? count(matches) : 0;
    byId("chosen").hidden = !anySelected || Boolean(matches);
    byId("found").textContent = matches ? `${whole(hits)} ${of} found${hits ? "; Enter selects them" : ""}` : anySelected ? `${whole(count(selected))} ${of} selected` : "";
  }

  // Controls

  function press(button, pressed) { button.setAttribute("aria-pressed", String(pressed)); }
  function setSpace(on) {
    space = on;
    hover(-1);
    press(byId("space"), on);
    press(byId("flat"), !on);
    spectrum(showFilm.near || page);
    sort();
    moved();
  }
  byId("space").disabled = !deep;
  byId("space").onclick = () => setSpace(true);
  byId("flat").onclick = () => setSpace(false);
  byId("reset").onclick = () => { untouched = true; reset(); };
  byId("lasso").onclick = () => {
    lassoing = !lassoing;
    press(byId("lasso"), lassoing);
    canvas.classList.toggle("lassoing", lassoing);
  };
  byId("drop").onclick = () => choose(() => 0);
  const find = byId("find");
  find.oninput = () => {
    const words = find.value.toLowerCase().trim();
    matches = words ? new Uint8Array(n) : null;
    if (words) {
      const hits = columns.map((column) => column.words && column.words.map((word) => word.toLowerCase().includes(words)));
      for (let i = 0; i < n; i++) {
        const hit = nameOf(i).toLowerCase().includes(words) || columns.some((column, c) => (hits[c] ? hits[c][column.values[i]] : column.texts && column.texts[i].toLowerCase().includes(words)));
        matches[i] = hit ? 1 : 0;
      }
    }
    say();
    paint();
  };
  find.onkeydown = (event) => {
    const found = matches;
    if (event.key === "Enter" && found) choose((i) => (found[i] && !hidden[i] ? 1 : 0));
  };
  const quoted = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };
  const blank = (text) => (text === "—" ? "" : text);
  byId("save").onclick = () => {
    const parts = page.axes.map((_, axis) => axis);
    const lines = [["row", ...columns.map((column) => column.name), ...page.axes.map((j) => `PC ${j + 1}`)].map(quoted).join(",")];
    for (let i = 0; i < n; i++) {
      if (!selected[i]) continue;
      lines.push([nameOf(i), ...columns.map((column) => blank(cell(column, i))), ...parts.map((axis) => number(scores[3 * i + axis]))].map(quoted).join(","));
    }
    const link = make("a");
    // The mark at the start lets spreadsheets read UTF-8.
    link.href = URL.createObjectURL(new Blob(["\ufeff", lines.join("\r\n"), "\r\n"], { type: "text/csv" }));
    link.download = "selected.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // Legend

  function legend() {
    const list = byId("legend"), column = chosen < 0 ? null : columns[chosen];
    list.replaceChildren();
    hidden.fill(0);
    index = null;
    if (!column) return;
    if (!column.words) {
      const [low, high] = range(column.values), item = make("li", "", "scale"), bar = make("span", "", "bar"), ends = make("span", "", "ends");
      bar.style.background = `linear-gradient(90deg, ${VIRIDIS.join(",")})`;
      const text = (value) => (column.texts ? new Date(1000 * value).toISOString().slice(0, 10) : number(value, 4));
      if (Number.isFinite(low)) ends.append(make("span", text(low)), make("span", text(high)));
      else ends.append("no values");
      item.append(bar, ends);
      list.append(item);
      return;
    }
    const counts = new Map();
    for (const code of column.values) counts.set(code, (counts.get(code) || 0) + 1);
    const codes = column.words.map((_, code) => code).filter((code) => counts.has(code));
    if (counts.has(MISSING)) codes.push(MISSING);
    const shown = new Map(codes.map((code) => [code, true]));
    const items = codes.map((code) => {
      const item = make("li"), mark = make("i"), name = make("span", code === MISSING ? "missing" : column.words[code], "name");
      name.dir = "auto";
      mark.style.background = `rgb(${classColor(code).join(",")})`;
      const only = make("button", "only");
      only.tabIndex = -1;
      only.setAttribute("aria-hidden", "true"); // Enter does it
      item.append(mark, name, only, make("span", whole(counts.get(code)), "count"));
      item.title = "Click hides, “only” and Enter isolate";
      item.tabIndex = 0;
      item.setAttribute("role", "checkbox");
      const toggle = () => { shown.set(code, !shown.get(code)); apply(); };
      const isolate = () => {
        const alone = codes.every((each) => shown.get(each) === (each === code));
        for (const each of codes) shown.set(each, alone || each === code);
        apply();
      };
      item.onclick = toggle;
      item.ondblclick = isolate;
      only.onclick = (event) => { event.stopPropagation(); isolate(); };
      only.ondblclick = (event) => event.stopPropagation();
      item.onkeydown = (event) => {
        const next = { ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling }[event.key];
        if (next) next.focus();
        else if (event.key === " ") toggle();
        else if (event.key === "Enter") isolate();
        else return;
        event.preventDefault();
      };
      list.append(item);
      return item;
    });
    function apply() {
      items.forEach((item, k) => item.setAttribute("aria-checked", String(shown.get(codes[k]))));
      for (let i = 0; i < n; i++) hidden[i] = shown.get(column.values[i]) ? 0 : 1;
      index = null;
      paint();
    }
    apply();
  }
  const menu = byId("color");
  columns.forEach((column, i) => { if (column.values) menu.append(new Option(column.name, String(i))); });
  menu.append(new Option("nothing", "-1"));
  menu.onchange = () => { chosen = Number(menu.value); hover(-1); legend(); paint(); };
  const wished = columns.findIndex((column) => column.values && column.name === page.color);
  chosen = wished < 0 ? columns.findIndex((column) => column.values) : wished;
  menu.value = String(chosen);

  // Spectrum, with the bounds of every share

  const SVG = "http://www.w3.org/2000/svg", svg = byId("spectrum");
  const percent = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
  const tallest = Math.max(1e-12, ...[page, ...frames].flatMap((each) => each.bounds.map((ends) => ends[1])));
  svg.setAttribute("viewBox", "0 0 264 128");
  function spectrum({ shares, bounds }) {
    titles = page.axes.map((j) => (shares[j] === undefined ? `PC ${j + 1}` : `PC ${j + 1} (${percent(shares[j])})`));
    svg.replaceChildren();
    const add = (name, values, text = "") => {
      const item = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(values)) item.setAttribute(key, value);
      if (text) item.textContent = text;
      svg.append(item);
      return item;
    };
    const left = 34, foot = 110, wide = (264 - left) / Math.max(shares.length, 1);
    const tall = (value) => clamp((100 * value) / tallest, 0, 104);
    for (const [value] of ticks(0, tallest, 3)) {
      add("line", { x1: left, x2: 264, y1: foot - tall(value), y2: foot - tall(value), stroke: "var(--line)" });
      add("text", { x: left - 5, y: foot - tall(value) + 3.5, "text-anchor": "end" }, value ? percent(value) : "0");
    }
    shares.forEach((share, j) => {
      const onAxis = page.axes.slice(0, space ? 3 : 2).includes(j), middle = left + (j + 0.5) * wide;
      const bar = add("rect", { x: left + j * wide + wide * 0.14, y: foot - tall(share), width: wide * 0.72, height: tall(share), rx: Math.min(1.5, wide / 4), fill: onAxis ? "var(--accent)" : "var(--edge)", opacity: onAxis ? 1 : 0.55 });
      const title = document.createElementNS(SVG, "title");
      title.textContent = `PC ${j + 1}: ${(100 * share).toFixed(3)} %, bounds ${(100 * bounds[j][0]).toFixed(3)} … ${(100 * bounds[j][1]).toFixed(3)} %`;
      bar.append(title);
      if (tall(bounds[j][1]) - tall(bounds[j][0]) > 0.5) add("line", { x1: middle, x2: middle, y1: foot - tall(bounds[j][0]), y2: foot - tall(bounds[j][1]), stroke: "var(--text)" });
      const every = [1, 2, 5, 10, 20].find((each) => each * wide >= 16) || 50;
      if (j === 0 || (j + 1) % every === 0) add("text", { x: middle, y: 123, "text-anchor": "middle" }, String(j + 1));
    });
  }

  // Film: the slider lies between frames, and points glide to where it is

  const slider = byId("frame");
  let position = page.start, aim = page.start, last = 0, playing = false, gliding = false;
  function showFilm() {
    const low = clamp(Math.floor(position), 0, frames.length - 2), part = position - low;
    const a = frames[low].scores, b = frames[low + 1].scores, near = frames[Math.round(position)];
    for (let i = 0; i < scores.length; i++) scores[i] = a[i] + (b[i] - a[i]) * part;
    upload("scores", scores);
    tell(near.label);
    if (near !== showFilm.near) spectrum(near);
    showFilm.near = near;
    hover(-1);
    if (space) sort();
    moved();
  }
  function tell(label) {
    byId("film_value").textContent = label;
    slider.setAttribute("aria-valuetext", label);
    byId("certificate").hidden = label !== page.label;
  }
  function glide(now) {
    const passed = clamp(now - last, 0, 100); // a frame may have begun before it was requested
    last = now;
    if (playing) {
      aim = position + passed / 450;
      if (aim >= frames.length - 1) { aim = frames.length - 1; play(false); }
      position = aim;
      slider.value = String(position);
    } else {
      position += (aim - position) * (reduced ? 1 : 1 - Math.exp(-passed / 60));
      if (Math.abs(aim - position) < 0.004) position = aim;
    }
    showFilm();
    gliding = playing || position !== aim;
    if (gliding) requestAnimationFrame(glide);
  }
  function begin() {
    if (gliding) return;
    gliding = true;
    last = performance.now();
    requestAnimationFrame(glide);
  }
  function play(on) {
    playing = on;
    press(byId("play"), on);
    byId("play").textContent = on ? "❚❚" : "▶";
    byId("play").setAttribute("aria-label", on ? "Stop" : "Play");
  }
  if (frames.length > 1) {
    byId("film").hidden = false;
    slider.max = String(frames.length - 1);
    slider.value = String(page.start);
    tell(page.label);
    slider.oninput = () => { play(false); aim = Number(slider.value); begin(); };
    // What it is left at is a frame: between them nothing was computed.
    slider.onchange = () => { slider.value = String(Math.round(slider.value)); slider.oninput(); };
    // A key goes from frame to frame, the pointer anywhere between.
    slider.onkeydown = (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      slider.value = String(clamp(by > 0 ? Math.floor(aim + 1.001) : Math.ceil(aim - 1.001), 0, frames.length - 1));
      slider.oninput();
    };
    byId("play").onclick = () => {
      play(!playing);
      if (!playing) { slider.onchange(); return; }
      if (position >= frames.length - 1) position = 0;
      aim = position;
      begin();
    };
  }

  if (!byId("methods").textContent.replace("Methods", "").trim()) byId("methods").hidden = true;
  dark.addEventListener("change", () => { legend(); paint(); });
  spectrum(page);
  new ResizeObserver(resize).observe(byId("stage"));
  upload("scores", scores);
  upload("order", order);
  resize();
  legend();
  setSpace(page.space && deep);
  paint();
  drawNow(); // at once: no frame need come before the page is looked at or printed
  window.kpcaPage = { draw: drawNow, turn, zoom, backend: gl ? "webgl" : "canvas", finish: () => gl && gl.finish() };
})();
