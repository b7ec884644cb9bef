// What every page can do with a script; without one it reads the same.
(() => {
  "use strict";
  const root = document.documentElement;
  const fieldguide = (self.fieldguide ??= {});

  // What scripts say comes with the page, in the language of its interface.
  const words = (fieldguide.words = JSON.parse(document.currentScript.dataset.words));
  // Puts values in the place of the names between braces.
  fieldguide.fill = (text, values) =>
    text.replace(/\{([a-z_]+)\}/g, (whole, name) => values[name] ?? whole);
  fieldguide.grouped = (number) =>
    String(number).replace(/\B(?=(\d{3})+$)/g, () => words.group);
  // The form of a noun that stands beside a number, and the number with it.
  const plural = new Intl.PluralRules(root.lang);
  fieldguide.form = (number, forms) => forms[plural.select(number)] ?? forms.other;
  fieldguide.counted = (number, forms) =>
    fieldguide.fill(fieldguide.form(number, forms), { n: fieldguide.grouped(number) });

  // Copies text exactly. From disk some browsers offer no clipboard object: then a selection
  // in a text area serves.
  fieldguide.copy = async (text) => {
    if (navigator.clipboard && self.isSecureContext) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        // Fall through to the selection.
      }
    }
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "offscreen";
    area.setAttribute("aria-hidden", "true");
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };

  // Says on the button itself, for a moment, whether it worked.
  fieldguide.tell = (button, done) => {
    const before = button.dataset.label ?? button.textContent;
    button.dataset.label = before;
    button.textContent = done ? words.copying.done : words.copying.by_hand;
    button.setAttribute("aria-live", "polite");
    clearTimeout(Number(button.dataset.timer));
    button.dataset.timer = String(
      setTimeout(() => {
        button.textContent = before;
      }, 1600),
    );
  };

  // A ref is copied where it stands.
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      fieldguide.tell(button, await fieldguide.copy(button.dataset.copy));
    });
  }

  // A session: every message's ref is copied, a call that is linked to opens, and a link to a
  // message of another page finds that page.
  const session = document.querySelector("article[data-session]");
  if (session) {
    for (const link of session.querySelectorAll("a.ref")) {
      const place = decodeURIComponent(link.hash.slice(1));
      const slash = place.lastIndexOf("/");
      const agent = slash < 0 ? "" : `/${place.slice(0, slash)}`;
      const ref = `conversation:${session.dataset.session}${agent}#${place.slice(slash + 1)}`;
      link.title = ref;
      link.addEventListener("click", async () => {
        fieldguide.tell(link, await fieldguide.copy(ref));
      });
    }
    const go = () => {
      const place = decodeURIComponent(location.hash.slice(1));
      const target = document.getElementById(place);
      if (target) {
        if (target.matches("details")) target.open = true;
        return;
      }
      // A page begins with a message, or with a call of one: "48", "48.1".
      const order = (text) => /^\d+(\.\d+)?$/.exec(text)?.[0].split(".").map(Number);
      const wanted = order(place);
      const firsts = JSON.parse(session.dataset.pages);
      if (firsts.length < 2 || !wanted) return;
      let page = 0;
      firsts.forEach((first, at) => {
        const [message, call = 0] = order(first) ?? [Infinity];
        const before = message < wanted[0] || (message === wanted[0] && call <= (wanted[1] ?? 0));
        if (before) page = at;
      });
      const file = `${session.dataset.name}${page ? `.${page + 1}` : ""}.html`;
      if (!location.pathname.endsWith(`/${encodeURIComponent(file)}`)) {
        location.replace(`${encodeURIComponent(file)}${location.hash}`);
      }
    };
    go();
    addEventListener("hashchange", go);
    const unfold = session.querySelector("button.unfold");
    if (unfold) {
      unfold.hidden = false;
      unfold.addEventListener("click", () => {
        const open = unfold.getAttribute("aria-pressed") !== "true";
        unfold.setAttribute("aria-pressed", String(open));
        [unfold.textContent, unfold.dataset.other] = [unfold.dataset.other, unfold.textContent];
        for (const call of session.querySelectorAll("details.call")) call.open = open;
      });
    }
  }

  // Times are shown in the reader's zone; the exact one stays on hover.
  const shapes = {
    day: { dateStyle: "medium" },
    moment: { dateStyle: "medium", timeStyle: "short" },
    time: { timeStyle: "short" },
  };
  for (const time of document.querySelectorAll("time[data-show]")) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) {
      time.textContent = moment.toLocaleString(
        root.lang,
        shapes[time.dataset.show] ?? shapes.moment,
      );
    }
  }

  // A list shows what was chosen.
  for (const select of document.querySelectorAll("select[data-filter]")) {
    select.closest("[hidden]")?.removeAttribute("hidden");
    select.addEventListener("change", () => {
      for (const part of document.querySelectorAll(select.dataset.filter)) {
        part.hidden = select.value !== "" && part.dataset[select.dataset.by] !== select.value;
      }
    });
  }

  const theme = document.querySelector("button.theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => {
    const { light, dark: night, use_light: toLight, use_dark: toDark } = words.theme;
    theme.textContent = isDark() ? light : night;
    theme.setAttribute("aria-label", isDark() ? toLight : toDark);
  };
  if (theme) {
    theme.hidden = false;
    nameTheme();
    dark.addEventListener("change", nameTheme);
    theme.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try {
        localStorage.setItem("fieldguide-theme", root.dataset.theme);
      } catch {
        // Then the choice lasts for this page.
      }
      nameTheme();
    });
  }

  // The rail is a folded menu on a phone and stands open beside the page elsewhere.
  const menu = document.querySelector("details.menu");
  const wide = matchMedia("(min-width: 50rem)");
  const unfold = () => {
    menu.open = wide.matches;
  };
  if (menu) {
    unfold();
    menu.classList.add("ready");
    wide.addEventListener("change", unfold);
    menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !wide.matches) {
        menu.open = false;
        menu.querySelector("summary").focus();
      }
    });
  }

  for (const block of document.querySelectorAll(".prose pre.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-code";
    button.lang = root.lang; // the text around it may be in another language
    button.textContent = words.copying.code;
    button.setAttribute("aria-label", words.copying.code_about);
    button.addEventListener("click", async () => {
      fieldguide.tell(button, await fieldguide.copy(block.textContent));
    });
    const frame = document.createElement("div");
    frame.className = "code-frame";
    block.replaceWith(frame);
    frame.append(block, button);
  }

  // Every heading can be linked to.
  for (const heading of document.querySelectorAll(".prose :is(h2, h3, h4)[id]")) {
    const link = document.createElement("a");
    link.className = "anchor";
    link.href = `#${heading.id}`;
    link.textContent = "#";
    link.lang = root.lang;
    link.setAttribute(
      "aria-label",
      fieldguide.fill(words.copying.heading, { heading: heading.textContent }),
    );
    heading.append(link);
  }

  // Marks the part of the page being read in its contents.
  const links = new Map();
  for (const link of document.querySelectorAll(".contents a")) {
    links.set(decodeURIComponent(link.hash.slice(1)), link);
  }
  if (links.size && "IntersectionObserver" in self) {
    const headings = [...links.keys()]
      .map((id) => document.getElementById(id))
      .filter((heading) => heading !== null);
    const mark = () => {
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
      const current = passed.at(-1) ?? headings[0];
      for (const [id, link] of links) {
        link.toggleAttribute("data-current", id === current?.id);
      }
    };
    const observer = new IntersectionObserver(mark, { rootMargin: "-110px 0px 0px 0px" });
    for (const heading of headings) observer.observe(heading);
    addEventListener("scroll", mark, { passive: true });
    mark();
  }
})();
