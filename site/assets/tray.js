// The bundle tray and the bundle builder: topics that were picked, and exactly their text.
(() => {
  "use strict";
  const fieldguide = (self.fieldguide ??= {});
  const texts = (fieldguide.texts ??= {});
  const { words, fill, counted } = fieldguide;
  const root = document.documentElement.dataset.root;
  const STORE = "fieldguide-bundle";
  const CJK =
    /[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/gu;

  // picks: {topic, characters, cjk} in the order in which they were picked.
  let picks = [];
  let leg = false;
  const tray = document.querySelector(".tray");
  const form = document.querySelector("form.ticks");
  const result = document.querySelector("section.result");

  const recall = () => {
    try {
      const stored = JSON.parse(localStorage.getItem(STORE) ?? "[]");
      picks = Array.isArray(stored)
        ? stored.filter((pick) => /^[a-z0-9_]+$/.test(pick?.topic))
        : [];
    } catch {
      picks = [];
    }
  };
  const remember = () => {
    try {
      localStorage.setItem(STORE, JSON.stringify(picks));
    } catch {
      // Then the picks last for this page.
    }
  };

  // Topics whose text this site does not have.
  const gone = new Set();

  // A topic's text comes as a script, which works from disk as well as from a server.
  const waiting = new Map();
  const load = (topic) => {
    if (texts[topic]) return Promise.resolve(true);
    if (!waiting.has(topic)) {
      waiting.set(
        topic,
        new Promise((resolve) => {
          const script = document.createElement("script");
          script.src = `${root}data/guides/${topic}.js`;
          const settle = () => {
            if (!texts[topic]) gone.add(topic);
            resolve(Boolean(texts[topic]));
          };
          script.onload = settle;
          script.onerror = settle;
          document.head.append(script);
        }),
      );
    }
    return waiting.get(topic);
  };

  const textOf = (topic) => (leg && texts[topic].leg) || texts[topic].text;
  const bundle = () => picks.map((pick) => textOf(pick.topic)).join("\n");
  const ready = () => picks.every((pick) => texts[pick.topic]);
  const estimate = (characters, cjk) => cjk + Math.ceil((characters - cjk) / 4);
  const count = () => {
    if (ready()) {
      const text = bundle();
      return estimate([...text].length, (text.match(CJK) ?? []).length);
    }
    const gaps = Math.max(picks.length - 1, 0);
    const sum = (key) => picks.reduce((total, pick) => total + pick[key], 0);
    return estimate(sum("characters") + gaps, sum("cjk"));
  };

  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // What the tray adds up to, the number of tokens set strong.
  const strongly = (text, tokens) => {
    const topics = counted(picks.length, words.count.topic);
    const [before, after] = fill(text, {
      tokens: fieldguide.form(tokens, words.count.token).replace("{n}", "\0"),
      topics,
    }).split("\0");
    return [before, element("strong", "figure", fieldguide.grouped(tokens)), after ?? ""];
  };

  const copyBundle = async (button) => {
    await Promise.all(picks.map((pick) => load(pick.topic)));
    if (ready()) fieldguide.tell(button, await fieldguide.copy(bundle()));
  };

  const drawTray = () => {
    tray.hidden = picks.length === 0;
    document.body.classList.toggle("has-tray", picks.length > 0);
    tray.replaceChildren();
    if (!picks.length) return;
    const list = element("ul", "picked");
    for (const pick of picks) {
      const item = element("li");
      const remove = element("button", "remove", "×");
      remove.type = "button";
      remove.setAttribute("aria-label", fill(words.tray.remove_topic, { topic: pick.topic }));
      remove.addEventListener("click", () => toggle(pick, false));
      item.append(element("span", "topic", pick.topic), remove);
      list.append(item);
    }
    const sum = element("p", "sum");
    sum.setAttribute("role", "status");
    sum.append(...strongly(words.tray.sum, count()));
    const copy = element("button", "copy", words.tray.copy_bundle);
    copy.type = "button";
    copy.addEventListener("click", () => copyBundle(copy));
    const clear = element("button", "clear", words.tray.empty);
    clear.type = "button";
    clear.addEventListener("click", () => {
      picks = [];
      changed();
    });
    tray.append(list, sum, copy, clear);
  };

  const drawPage = () => {
    const picked = new Set(picks.map((pick) => pick.topic));
    for (const button of document.querySelectorAll("button.pick")) {
      const on = picked.has(button.dataset.topic);
      button.setAttribute("aria-pressed", String(on));
      button.querySelector(".word").textContent = on ? words.tray.added : words.tray.add;
      button.setAttribute("aria-label", fill(words.tray.add_topic, { topic: button.dataset.topic }));
    }
    if (!form) return;
    for (const box of form.querySelectorAll("input[data-topic]")) {
      box.checked = picked.has(box.dataset.topic);
    }
    result.hidden = picks.length === 0;
    if (!picks.length) return;
    const names = picks.map((pick) => pick.topic);
    result.querySelector(".way-shell").textContent =
      `fieldguide guide ${names.join(" ")}${leg ? " --no-dispatch" : ""}`;
    result.querySelector(".way-agent").textContent =
      `reasoning_guide(topics=${JSON.stringify(names).replaceAll(",", ", ")}${leg ? ", can_dispatch=False" : ""})`;
    result.querySelector(".preview code").textContent = ready() ? bundle() : "";
    const bytes = ready() ? new TextEncoder().encode(bundle()).length : null;
    const tokens = counted(count(), words.count.token);
    result.querySelector(".summary").textContent =
      bytes === null
        ? tokens
        : fill(words.bundle, { tokens, bytes: counted(bytes, words.count.byte) });
  };

  const draw = () => {
    drawTray();
    drawPage();
  };
  const changed = () => {
    remember();
    draw();
    if (!ready()) Promise.all(picks.map((pick) => load(pick.topic))).then(dropMissing);
  };
  // A topic that this site no longer has leaves the tray.
  const dropMissing = () => {
    const there = picks.filter((pick) => !gone.has(pick.topic));
    if (there.length !== picks.length) {
      picks = there;
      remember();
    }
    draw();
  };
  const toggle = (pick, on) => {
    picks = picks.filter((other) => other.topic !== pick.topic);
    if (on) picks.push(pick);
    changed();
  };
  const pickOf = (data) => ({
    topic: data.topic,
    characters: Number(data.characters),
    cjk: Number(data.cjk),
  });

  for (const button of document.querySelectorAll("button.pick")) {
    button.hidden = false;
    button.addEventListener("click", () =>
      toggle(pickOf(button.dataset), button.getAttribute("aria-pressed") !== "true"),
    );
  }
  for (const button of document.querySelectorAll("button.copy-page")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const topic = button.dataset.topic;
      if (await load(topic)) fieldguide.tell(button, await fieldguide.copy(texts[topic].text));
    });
    button.addEventListener("pointerenter", () => load(button.dataset.topic), { once: true });
  }
  if (form) {
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => {
      const box = event.target;
      if (box.dataset.topic) toggle(pickOf(box.dataset), box.checked);
    });
    form.querySelector(".cannot-dispatch").addEventListener("change", (event) => {
      leg = event.target.checked;
      draw();
    });
    form.querySelector(".filter")?.addEventListener("input", (event) => {
      const wanted = event.target.value.trim().toLowerCase();
      for (const label of form.querySelectorAll(".tick")) {
        label.hidden = !label.textContent.toLowerCase().includes(wanted);
      }
    });
    for (const button of document.querySelectorAll("button.take")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const boxes = new Map(
          [...form.querySelectorAll("input[data-topic]")].map((box) => [box.dataset.topic, box]),
        );
        picks = button.dataset.topics
          .split(" ")
          .filter((topic) => boxes.has(topic))
          .map((topic) => pickOf(boxes.get(topic).dataset));
        changed();
      });
    }
  }
  // Another tab may have picked meanwhile.
  addEventListener("storage", (event) => {
    if (event.key === STORE) {
      recall();
      draw();
    }
  });

  recall();
  changed();
})();
