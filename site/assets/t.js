/* Charts, numbers and tables of reports in one look. Global: T. Written for Fieldguide; MIT.
   T.init(element, option) draws with ECharts, which the page loads itself. */
(() => {
  "use strict";

  const LIGHT = {
    ink: "#23251f",
    muted: "#5c6054",
    rule: "#d9d1be",
    surface: "#fdfbf5",
    up: "#2f7a3a",
    down: "#b0342a",
    good: "#2e6b3e",
    critical: "#a2382a",
    series: [
      "#4a6b25", "#b8741a", "#2f6690", "#a4452c", "#5b8c7b", "#7a4e7e", "#8c7b3f", "#4f5750",
    ],
  };
  const DARK = {
    ink: "#e7e3d7",
    muted: "#a5ab9c",
    rule: "#394640",
    surface: "#1f2a26",
    up: "#85cb8d",
    down: "#f2958a",
    good: "#8fcf9b",
    critical: "#ee9d8c",
    series: [
      "#a3c46f", "#e0a84f", "#7fb2d9", "#e58b70", "#8cc7b3", "#c19bc9", "#cdbb78", "#a9b3aa",
    ],
  };
  const MINUS = "\u2212";
  const UNKNOWN = "\u2013";
  const MANY_POINTS = 4000; // from here on a canvas draws faster than SVG
  const DEFAULT_HEIGHT = "320px";

  const darkQuery = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
  let printing = false;

  /* data-theme on the page wins over the system; paper is always light. */
  const isDark = () => {
    if (printing) return false;
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : Boolean(darkQuery?.matches);
  };
  const tokens = () => (isDark() ? DARK : LIGHT);

  const warn = (message) => console.warn(`T: ${message}`);

  /* ---- Numbers --------------------------------------------------------------------------- */

  const toNumber = (value) => (value === null || value === "" ? Number.NaN : Number(value));

  /* 1234.5 -> 1,234.5; digits fixes the decimals, else up to two are shown. */
  const fmt = (value, digits) => {
    const number = toNumber(value);
    if (!Number.isFinite(number)) return UNKNOWN;
    const text = Math.abs(number).toLocaleString("en-US", {
      minimumFractionDigits: digits ?? 0,
      maximumFractionDigits: digits ?? 2,
    });
    return number < 0 && /[1-9]/.test(text) ? MINUS + text : text;
  };

  /* As fmt, with a plus before what grew. */
  const signed = (value, digits) => {
    const text = fmt(value, digits);
    return toNumber(value) > 0 && /[1-9]/.test(text) ? `+${text}` : text;
  };

  /* 1234567 -> 1.2M; three significant digits at most. */
  const si = (value, digits = 1) => {
    const number = toNumber(value);
    if (!Number.isFinite(number)) return UNKNOWN;
    const units = ["", "k", "M", "G", "T", "P"];
    let size = Math.abs(number);
    let unit = 0;
    while (unit < units.length - 1 && Number(size.toFixed(digits)) >= 1000) {
      size /= 1000;
      unit += 1;
    }
    const text = Number(size.toFixed(unit || size < 10 ? digits : 0)).toString();
    return (number < 0 && text !== "0" ? MINUS : "") + text + units[unit];
  };

  /* The colour of a change: up, down, or muted when nothing moved. */
  const tone = (value) => {
    const number = toNumber(value);
    if (!Number.isFinite(number) || number === 0) return tokens().muted;
    return number > 0 ? tokens().up : tokens().down;
  };

  /* ---- Charts ---------------------------------------------------------------------------- */

  const charts = new Set();

  const axis = (look) => ({
    axisLine: { lineStyle: { color: look.rule } },
    axisTick: { lineStyle: { color: look.rule } },
    axisLabel: { color: look.muted },
    nameTextStyle: { color: look.muted },
    splitLine: { lineStyle: { color: look.rule } },
    splitArea: { show: false },
  });

  const theme = (look) => ({
    color: look.series,
    backgroundColor: "transparent",
    textStyle: { color: look.ink, fontFamily: "system-ui, sans-serif" },
    title: { textStyle: { color: look.ink }, subtextStyle: { color: look.muted } },
    legend: { textStyle: { color: look.muted }, pageTextStyle: { color: look.muted } },
    tooltip: {
      backgroundColor: look.surface,
      borderColor: look.rule,
      textStyle: { color: look.ink },
    },
    categoryAxis: axis(look),
    valueAxis: axis(look),
    timeAxis: axis(look),
    logAxis: axis(look),
    candlestick: {
      itemStyle: {
        color: look.up,
        color0: look.down,
        borderColor: look.up,
        borderColor0: look.down,
      },
    },
  });

  /* Colours of one look that an option holds, in the words of another. */
  const recolour = (option, from, to) => {
    const words = new Map(from.series.map((colour, index) => [colour, to.series[index]]));
    for (const name of Object.keys(from)) if (name !== "series") words.set(from[name], to[name]);
    const done = new Map();
    const walk = (value) => {
      if (typeof value === "string") return words.get(value) ?? value;
      if (value === null || typeof value !== "object") return value;
      if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
      if (done.has(value)) return done.get(value);
      const copy = Array.isArray(value) ? [] : {};
      done.set(value, copy);
      for (const name of Object.keys(value)) copy[name] = walk(value[name]);
      return copy;
    };
    return walk(option);
  };

  const countPoints = (option) => {
    const list = [option?.series ?? []].flat();
    return list.reduce((sum, one) => sum + (one?.data?.length ?? 0), 0);
  };

  const tell = (element, message) => {
    warn(message);
    if (!element) return;
    element.textContent = message;
    element.setAttribute("role", "note");
  };

  const draw = (chart) => {
    const look = tokens();
    chart.instance?.dispose();
    chart.instance = globalThis.echarts.init(chart.element, theme(look), {
      renderer: chart.renderer,
    });
    chart.instance.setOption({
      animation: !printing && !globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches,
      aria: { enabled: true },
      ...recolour(chart.option, chart.look, look),
    });
    for (const [option, ...rest] of chart.later) {
      chart.instance.setOption(recolour(option, chart.look, look), ...rest);
    }
    for (const listener of chart.listeners) chart.instance.on(...listener);
  };

  const redraw = () => {
    for (const chart of charts) {
      if (chart.element.isConnected) draw(chart);
      else forget(chart);
    }
  };

  const forget = (chart) => {
    chart.observer?.disconnect();
    chart.instance?.dispose();
    charts.delete(chart);
  };

  /* Draw a chart.
     target: id of the container, or the container itself. option: an ECharts option.
     extra.renderer: "svg" or "canvas"; chosen by the number of points when left out.
     Returns the ECharts instance, or null when it cannot be drawn. What is returned stays good
     when the theme changes and the chart is drawn anew: options and listeners come along. */
  const init = (target, option, extra = {}) => {
    const element = typeof target === "string" ? document.getElementById(target) : target;
    if (!(element instanceof Element)) {
      warn(`the page has no element "${target}" to draw a chart in.`);
      return null;
    }
    if (!globalThis.echarts?.init) {
      tell(element, "This chart needs ECharts, which did not load.");
      return null;
    }
    for (const chart of charts) if (chart.element === element) forget(chart);
    if (element.clientHeight === 0) {
      warn(`#${element.id || "chart"} has no height, so it was given ${DEFAULT_HEIGHT}.`);
      element.style.minHeight = DEFAULT_HEIGHT;
    }
    const renderer = extra.renderer ?? (countPoints(option) > MANY_POINTS ? "canvas" : "svg");
    const chart = {
      element,
      option: option ?? {},
      look: tokens(),
      renderer,
      instance: null,
      later: [],
      listeners: [],
    };
    try {
      draw(chart);
    } catch (error) {
      chart.instance?.dispose();
      tell(element, `This chart could not be drawn: ${error.message}`);
      return null;
    }
    chart.observer = new ResizeObserver(() => {
      if (element.clientWidth && element.clientHeight) chart.instance.resize();
    });
    chart.observer.observe(element);
    charts.add(chart);
    return handle(chart);
  };

  const handle = (chart) => {
    const own = {
      setOption: (...call) => {
        chart.later.push(call);
        chart.instance.setOption(...call);
      },
      on: (...listener) => {
        chart.listeners.push(listener);
        chart.instance.on(...listener);
      },
      dispose: () => forget(chart),
    };
    return new Proxy(own, {
      get: (_, name) => {
        const value = own[name] ?? chart.instance[name];
        return typeof value === "function" && !own[name] ? value.bind(chart.instance) : value;
      },
    });
  };

  darkQuery?.addEventListener?.("change", redraw);
  new MutationObserver(redraw).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["data-theme"],
  });
  globalThis.addEventListener("beforeprint", () => {
    printing = true;
    redraw();
  });
  globalThis.addEventListener("afterprint", () => {
    printing = false;
    redraw();
  });

  /* ---- Tables ---------------------------------------------------------------------------- */

  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const SUFFIXES = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12 };

  /* The number a cell shows: separators, signs, currency, percent and k/M/G are understood. */
  const cellNumber = (text) => {
    const plain = text.replace(/[\s,_'\u2009\u202f]/g, "").replace(MINUS, "-");
    const found = /^([-+]?)\D{0,3}?([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)([kKMGBT])?\D{0,3}$/.exec(plain);
    if (!found) return Number.NaN;
    const size = Number(found[2]) * (SUFFIXES[found[3]] ?? 1);
    return found[1] === "-" ? -size : size;
  };

  const compareCells = (left, right) => {
    const numbers = [cellNumber(left), cellNumber(right)];
    if (numbers.every(Number.isFinite)) return numbers[0] - numbers[1];
    return collator.compare(left, right);
  };

  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return (cell?.dataset.sort ?? cell?.textContent ?? "").trim();
  };

  const isEmpty = (text) => text === "" || text === UNKNOWN || text === "-" || text === "n/a";

  const sortBy = (table, header, direction) => {
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].map((row) => [keyOf(row, header.cellIndex), row]);
      // Empty cells stay last whichever way the column is sorted.
      rows.sort(([left], [right]) => {
        if (isEmpty(left) || isEmpty(right)) return Number(isEmpty(left)) - Number(isEmpty(right));
        return direction * compareCells(left, right);
      });
      body.append(...rows.map(([, row]) => row));
    }
  };

  /* Let people sort a table by its headings. target: id of the table, or the table itself. */
  const sortable = (target) => {
    const table = typeof target === "string" ? document.getElementById(target) : target;
    const head = table?.tHead?.rows[table.tHead.rows.length - 1];
    if (!(table instanceof HTMLTableElement) || !head) {
      warn(`"${target?.id ?? target}" is no table with a thead, so it cannot be sorted.`);
      return null;
    }
    for (const header of head.cells) {
      if (header.querySelector("button")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.style.cssText =
        "all:unset;cursor:pointer;font:inherit;color:inherit;text-decoration:underline dotted;";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("focus", () => {
        button.style.outline = button.matches(":focus-visible") ? "2px solid currentColor" : "";
      });
      button.addEventListener("blur", () => {
        button.style.outline = "";
      });
      button.addEventListener("click", () => {
        sortBy(table, header, header.getAttribute("aria-sort") === "ascending" ? -1 : 1);
      });
    }
    return table;
  };

  const T = { init, fmt, signed, si, tone, sortable };
  for (const name of Object.keys(LIGHT)) {
    Object.defineProperty(T, name, { enumerable: true, get: () => tokens()[name] });
  }
  globalThis.T = Object.freeze(T);
})();
