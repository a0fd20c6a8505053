"use strict";
// Draws the plots of a page. An element says what it shows by `data-plot`; the range is chosen by the
// buttons in `.ranges`. All plots of a page share the cross-hair and the zoom.
(() => {
  const places = [...document.querySelectorAll("[data-plot]")];
  if (places.length === 0 || typeof uPlot === "undefined") return;
  const GAUGES = ["ok", "failed", "enqueued", "busy", "retries", "scheduled", "dead"];
  const HUES = ["--blue", "--orange", "--teal", "--violet", "--red", "--olive", "--pink", "--soft"];
  const HEIGHT = 200;
  const probe = document.body.appendChild(document.createElement("i"));
  probe.hidden = true;
  /** A colour of the style sheet as it is now, light or dark. */
  const colour = (name, share = 100) => {
    probe.style.color = `color-mix(in srgb, var(${name}) ${share}%, transparent)`;
    return getComputedStyle(probe).color;
  };
  const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  const span = (seconds) => (seconds == null ? "–"
    : seconds < 10 ? `${seconds.toFixed(1)} s` : seconds < 60 ? `${Math.round(seconds)} s`
      : seconds < 3600 ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
        : `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`);
  const short = (seconds) => (seconds < 60 ? `${number.format(seconds)} s` : seconds < 3600 ? `${number.format(seconds / 60)} min` : `${number.format(seconds / 3600)} h`);
  const sync = uPlot.sync("page");
  const state = { range: "15m", history: null, plots: [], isZoomed: false };

  /** Of each kind: its lines, as [name, colour, values]. */
  const kinds = {
    throughput: (history) => [["succeeded", "--teal", history.ok], ["failed", "--red", history.failed]],
    depth: (history) => history.queues.map((queue, at) => [queue.name, HUES[at], queue.depth]),
    age: (history) => history.queues.map((queue, at) => [queue.name, HUES[at], queue.age]),
    sets: (history) => [["busy", "--blue", history.busy], ["retries", "--orange", history.retries], ["scheduled", "--violet", history.scheduled], ["dead", "--red", history.dead]],
  };
  const units = { throughput: ["per second", number.format.bind(number), compact.format.bind(compact)], age: ["", span, short] };
  const unit = (kind) => units[kind] ?? ["", number.format.bind(number), compact.format.bind(compact)];

  function options(place, lines) {
    const [suffix, exact, rough] = unit(place.dataset.plot);
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
    const now = state.history.now;
    return {
      width: place.clientWidth,
      height: HEIGHT,
      cursor: { sync: { key: sync.key, setSeries: false }, drag: { x: true, y: false }, points: { size: 6 } },
      legend: { live: true },
      scales: {
        x: { time: true, range: (plot, min, max) => (state.isZoomed ? [min, max] : [state.history.now - state.history.seconds, state.history.now]) },
        y: { range: (plot, min, max) => [0, Math.max(max ?? 0, 1) * 1.1] },
      },
      axes: [{ ...axis, space: 70, values: (plot, times) => times.map((time) => new Date(time * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })) }, { ...axis, size: 58, values: (plot, values) => values.map((value) => rough(value)) }],
      series: [
        { value: (plot, time) => (time == null ? "now" : new Date(time * 1000).toLocaleTimeString()) },
        ...lines.map(([name, hue]) => ({
          label: name,
          stroke: colour(hue),
          fill: place.dataset.plot === "throughput" ? colour(hue, 15) : undefined,
          width: 1.5,
          spanGaps: true,
          points: { show: false },
          value: (plot, value, series, at) => {
            const shown = at == null ? plot.data[series].findLast((one) => one != null) : value;
            return shown == null ? "–" : `${exact(shown)} ${suffix}`.trim();
          },
        })),
      ],
      hooks: {
        setSelect: [(plot) => { if (plot.select.width > 2) zoom(plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")); }],
        ready: [(plot) => plot.over.addEventListener("dblclick", unzoom)],
      },
    };
  }

  function zoom(min, max) {
    state.isZoomed = true;
    for (const { plot } of state.plots) {
      plot.setScale("x", { min, max });
      plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    }
  }

  function unzoom() {
    state.isZoomed = false;
    draw();
  }

  /** A plot without a line says why: a line takes two points. */
  function explain(place, lines) {
    const hasLine = lines.some(([, , values]) => values.filter((value) => value != null).length > 1);
    const reason = lines.length === 0 ? "No queue yet"
      : state.range === "15m" ? "Collecting: the line begins in a few seconds" : "Collecting: one point per minute, the line begins in at most 2 min";
    place.dataset.note = hasLine ? "" : reason;
  }

  const data = (lines) => [state.history.times, ...lines.map((line) => line[2])];

  /** Makes the plots anew: after another range, other colours, other queues. */
  function build() {
    for (const { plot } of state.plots) plot.destroy();
    state.plots = places.map((place) => {
      const lines = kinds[place.dataset.plot](state.history);
      const plot = new uPlot(options(place, lines), data(lines), place);
      place.dataset.drawn = "";
      explain(place, lines);
      return { place, plot };
    });
  }

  function draw() {
    for (const { place, plot } of state.plots) {
      const lines = kinds[place.dataset.plot](state.history);
      plot.setData(data(lines), !state.isZoomed);
      explain(place, lines);
    }
  }

  async function load() {
    const answer = await fetch(`/api/v1/history?range=${state.range}`).catch(() => null);
    if (answer === null || !answer.ok) return;
    state.history = await answer.json();
    state.isZoomed = false;
    state.loaded = Date.now();
    build();
  }

  /** A longer range has a sample per minute, and is asked for that often. */
  document.addEventListener("figures", ({ detail: news }) => {
    const history = state.history;
    if (history === null) return;
    const hasNew = Object.keys(news.queues).slice(0, 8).some((name) => history.queues.length < 8 && !history.queues.some((queue) => queue.name === name));
    if ((state.range !== "15m" || hasNew) && Date.now() - state.loaded > (hasNew ? 5_000 : 60_000) && !state.isZoomed) return void load();
    if (state.range !== "15m" || news.time - (history.times.at(-1) ?? 0) < 1.9) return;
    history.now = news.time;
    history.times.push(news.time);
    GAUGES.forEach((gauge, at) => history[gauge].push(news.gauges[at]));
    for (const queue of history.queues) {
      const [depth, age] = news.queues[queue.name] ?? [null, null];
      queue.depth.push(depth);
      queue.age.push(age);
    }
    const gone = history.times.findIndex((time) => time >= history.now - history.seconds);
    if (gone > 0) {
      for (const column of [history.times, ...GAUGES.map((gauge) => history[gauge]), ...history.queues.flatMap((queue) => [queue.depth, queue.age])]) column.splice(0, gone);
    }
    draw();
  });

  for (const button of document.querySelectorAll(".ranges button")) {
    button.addEventListener("click", () => {
      state.range = button.value;
      for (const other of document.querySelectorAll(".ranges button")) other.setAttribute("aria-pressed", String(other === button));
      load();
    });
  }
  const recolour = () => { if (state.history !== null) build(); };
  new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  new ResizeObserver(() => {
    for (const { place, plot } of state.plots) if (plot.width !== place.clientWidth) plot.setSize({ width: place.clientWidth, height: HEIGHT });
  }).observe(places[0]);
  load();
})();
