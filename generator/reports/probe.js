// Run inside a finished page: what a reader would see is wrong. Returns plain data.
(chartIds) => {
  const BRACES = /\{\{.*?\}\}|\{%.*?%\}/s;
  const CODE = "pre, code, samp, kbd, textarea, script, style, template, noscript, title, [contenteditable]";
  const SHAPES = "path, rect, circle, ellipse, line, polyline, polygon, text, image";

  const name = (element) => {
    const id = element.id ? `#${element.id}` : "";
    const kind = element.classList?.length ? `.${[...element.classList].slice(0, 2).join(".")}` : "";
    return `<${element.tagName.toLowerCase()}>${id || kind ? ` ${id || kind}` : ""}`;
  };
  const visible = (element) => element.checkVisibility({ visibilityProperty: true });

  const braces = [];
  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && braces.length < 20) {
    const { nodeValue, parentElement } = walker.currentNode;
    const found = nodeValue.includes("{") && BRACES.exec(nodeValue);
    if (found && parentElement && !parentElement.closest(CODE) && visible(parentElement)) {
      braces.push({ text: found[0].replace(/\s+/g, " ").slice(0, 60), where: name(parentElement) });
    }
  }

  // What sticks out of the page without a scroller of its own.
  const root = document.documentElement;
  const width = root.clientWidth;
  let widest = null;
  if (root.scrollWidth > width + 1) {
    let reach = width + 1;
    for (const element of document.body.querySelectorAll("*")) {
      const box = element.getBoundingClientRect();
      const right = box.right + scrollX;
      if (!box.width || right <= reach) continue;
      let outer = element.parentElement;
      while (outer && outer !== root && getComputedStyle(outer).overflowX === "visible") outer = outer.parentElement;
      if (outer && outer !== root && outer !== document.body) continue;
      reach = right;
      widest = name(element);
    }
  }

  const drawnSvg = (svg) => {
    const size = svg.getBoundingClientRect();
    return [...svg.querySelectorAll(SHAPES)].some((shape) => {
      if (shape.closest("defs, clipPath, mask, marker, symbol")) return false;
      const box = shape.getBoundingClientRect();
      const style = getComputedStyle(shape);
      const painted = shape.tagName === "image" || style.fill !== "none" || style.stroke !== "none";
      const ground = shape.tagName === "rect" && box.width >= size.width - 1 && box.height >= size.height - 1;
      return painted && !ground && box.width + box.height > 0;
    });
  };
  const drawnCanvas = (canvas) => {
    if (!canvas.width || !canvas.height) return false;
    const context = canvas.getContext("2d");
    if (!context) return true; // drawn by the graphics card, which cannot be asked afterwards
    try {
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 3; at < data.length; at += 4) if (data[at]) return true;
      return false;
    } catch {
      return true;
    }
  };

  const containers = new Set(document.querySelectorAll("[_echarts_instance_]"));
  const charts = [];
  for (const id of chartIds) {
    const element = document.getElementById(id);
    if (element) containers.add(element);
    else charts.push({ where: `#${id}`, id, why: "is not in the page" });
  }
  for (const element of containers) {
    if (element.closest("details:not([open]), [hidden], dialog:not([open])")) continue;
    const box = element.getBoundingClientRect();
    const canvases = [...element.querySelectorAll("canvas")];
    const drawings = [...element.querySelectorAll("svg")];
    if (!box.width || !box.height) charts.push({ where: name(element), id: element.id, why: "has no size" });
    else if (!canvases.some(drawnCanvas) && !drawings.some(drawnSvg)) {
      charts.push({ where: name(element), id: element.id, why: "shows nothing" });
    }
  }

  return { braces, charts, width: root.scrollWidth, widest };
};
