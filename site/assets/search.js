// Search over the whole site. Everything it needs is loaded as scripts, so that it works from
// disk: the directory of shards, the shards a query touches, and the texts of the hits shown.
(() => {
  "use strict";
  const fieldguide = (self.fieldguide ??= {});
  const found = (fieldguide.found ??= {});
  const root = document.documentElement.dataset.root;
  const SHOWN = 20;
  const SHARDS_READ = 8; // files that one beginning of a word is looked up in at most
  const SHOWN_CHARACTERS = 230; // of a text, around its first match
  const BEFORE = 70; // of them before it
  const SLACK = 24; // characters within which a cut looks for the end of a word
  const CHECKED = 400; // places whose text is looked into at most
  const CJK =
    "\\u3005-\\u3007\\u3040-\\u30fa\\u30fc-\\u30ff\\u3105-\\u312f\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
  const PIECE = new RegExp(`([${CJK}]+)|((?:(?![${CJK}])[\\p{L}\\p{N}])+)`, "gu");
  const LONGEST = 40;
  const LOW = "0123456789abcdefghijklmnopqrstuv";
  const LAST = "ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&*";
  const BLOCK = "."; // stands before the id of a block
  const ID_LETTERS = 4;

  const waiting = new Map();
  const load = (kind, name, path) => {
    if (found[kind]?.[name] !== undefined) return Promise.resolve(found[kind][name]);
    const key = `${kind}/${name}`;
    if (!waiting.has(key)) {
      waiting.set(
        key,
        new Promise((resolve) => {
          const script = document.createElement("script");
          script.src = `${root}search/${path}.js`;
          script.onload = () => resolve(found[kind]?.[name]);
          script.onerror = () => resolve(undefined);
          document.head.append(script);
        }),
      );
    }
    return waiting.get(key);
  };

  // Sections, shards, and blocks of places; every place has a number in the order of the site.
  let known;
  const directory = () =>
    (known ??= load("index", 0, "index").then((about) => {
      if (!about) return undefined;
      let total = 0;
      const blocks = about.blocks.map(([id, section, size]) => {
        const block = { id, section, start: total };
        total += size;
        return block;
      });
      const starts = new Map(blocks.map((block) => [block.id, block.start]));
      return { ...about, blocks, starts, total };
    }));

  const cased = (text) => text.normalize("NFKC").toLowerCase();
  // Accents of Latin and Greek, and ё: as fold_accents in generator/search/folding.py.
  const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff\u0370-\u03ff\u1f00-\u1fffЀЁЍѐёѝ]/gu;
  const STROKED = { ø: "o", ł: "l", đ: "d", ħ: "h", ŧ: "t" };
  const bare = (text) =>
    text.replace(ACCENTED, (letter) => {
      const [first, ...marks] = letter.normalize("NFD");
      return STROKED[letter] ?? (marks.length && marks.every((mark) => /\p{M}/u.test(mark)) ? first : letter);
    });
  const fold = (text) => bare(cased(text));

  // What a query asks for: chunks without a space, or phrases. Each has the tokens that must all
  // stand in a place, and the literal text that must stand there when it is more than a word.
  const parse = (query) => {
    const chunks = [];
    for (const [, phrase, word] of query.matchAll(/"([^"]+)"|(\S+)/g)) {
      const typed = cased((phrase ?? word).trim()).replace(/^"+|"+$/g, "");
      const literal = bare(typed);
      const tokens = [];
      let pieces = 0;
      for (const [piece, run] of typed.matchAll(PIECE)) {
        pieces += 1;
        if (run) {
          const letters = [...piece];
          if (letters.length === 1) tokens.push({ text: piece, prefix: true });
          for (let at = 0; at + 1 < letters.length; at += 1) {
            tokens.push({ text: letters[at] + letters[at + 1] });
          }
        } else {
          // Places hold a word without its accents as well; those that have them count more.
          const own = piece.slice(0, LONGEST);
          tokens.push({ text: bare(own), own, word: true });
        }
      }
      const plain = pieces === 1 && tokens.length === 1 && tokens[0].text === literal;
      if (tokens.length) chunks.push({ literal, tokens, exact: !plain || phrase !== undefined });
    }
    const last = chunks.at(-1);
    // While somebody types, the last word may still grow.
    if (last && !/[\s"]$/.test(query)) {
      const token = last.tokens.at(-1);
      if (token.word) token.prefix = true;
    }
    return chunks;
  };

  const stem = (word) =>
    word.length < 5
      ? word
      : word
          .replace(/(?:ies)$/, "y")
          .replace(/(?:sses)$/, "ss")
          .replace(/(?<=[^aeious])s$|(?<=[aeiou][^s])es$/, "")
          .replace(/(?:ing|ed)$/, "");

  const decode = async (text) => {
    const { starts } = await directory();
    const places = new Map();
    let at = -1;
    let number = 0;
    for (let next = 0; next < text.length; next += 1) {
      const letter = text[next];
      if (letter === BLOCK) {
        at = starts.get(text.slice(next + 1, next + 1 + ID_LETTERS)) - 1;
        next += ID_LETTERS;
        continue;
      }
      const low = LOW.indexOf(letter);
      if (low >= 0) {
        number = number * 32 + low;
      } else {
        number = number * 32 + LAST.indexOf(letter);
        at += number >> 1;
        places.set(at, number & 1 ? 2 : 1);
        number = 0;
      }
    }
    return places;
  };

  const shardLines = new Map();
  const linesOf = async (name) => {
    if (!shardLines.has(name)) {
      const text = (await load("terms", name, `terms/${name}`)) ?? "";
      shardLines.set(name, text.split("\n").map((line) => line.split(" ")));
    }
    return shardLines.get(name);
  };

  // Lines of the shards whose token begins so.
  const beginning = async (prefix) => {
    const { shards } = await directory();
    let at = 0;
    while (at + 1 < shards.length && shards[at + 1][0] <= prefix) at += 1;
    const names = [];
    for (; at < shards.length && names.length < SHARDS_READ; at += 1) {
      if (names.length && !shards[at][0].startsWith(prefix)) break;
      names.push(shards[at][1]);
    }
    const read = await Promise.all(names.map(linesOf));
    return read.flat().filter((line) => line[0].startsWith(prefix));
  };

  // Places that hold a token: whole, by its stem, or by its beginning where that is asked for.
  const lookUp = async (token) => {
    const places = new Map();
    const root = token.word ? stem(token.text) : token.text;
    for (const [text, coded] of await beginning(root)) {
      const whole = text === token.text;
      const near =
        whole ||
        (token.prefix && text.startsWith(token.text)) ||
        (token.word && stem(text) === root && text.length - root.length < 4);
      if (!near) continue;
      for (const [place, weight] of await decode(coded)) {
        const score = whole ? weight * 2 : weight;
        places.set(place, Math.max(places.get(place) ?? 0, score));
      }
    }
    if (token.own !== token.text && token.word) {
      for (const [text, coded] of await beginning(token.own)) {
        if (text !== token.own) continue;
        for (const [place, weight] of await decode(coded)) places.set(place, weight * 3);
      }
    }
    return places;
  };

  // The block that holds a place: the last one that starts at it or before.
  const blockOf = (number, blocks) => {
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (blocks[middle].start <= number) low = middle;
      else high = middle - 1;
    }
    return blocks[low];
  };
  const placeOf = async (number, { id, section, start }) => {
    const rows = await load("places", id, `places/${id}`);
    const [path, title, batch, at] = rows[number - start];
    return { number, section, path, title, batch, at };
  };
  const textOf = async (place) => {
    const texts = await load("texts", place.batch, `texts/${place.batch}`);
    return texts?.[place.at] ?? "";
  };

  // Finds places, those with every chunk first.
  const search = async (query, section) => {
    const { total, sections, blocks } = await directory();
    const chunks = parse(query);
    if (!chunks.length) return { hits: [], whole: 0, more: false, chunks };
    const scores = new Map();
    for (const chunk of chunks) {
      let places;
      for (const token of chunk.tokens) {
        const held = await lookUp(token);
        if (places) {
          for (const place of places.keys()) {
            if (!held.has(place)) places.delete(place);
            else places.set(place, Math.min(places.get(place), held.get(place)));
          }
        } else {
          places = held;
        }
      }
      const rarity = Math.log(1 + total / (1 + places.size));
      for (const [place, weight] of places) {
        const row = scores.get(place) ?? { place, score: 0, held: 0 };
        row.score += weight * rarity;
        row.held += 1;
        scores.set(place, row);
      }
    }
    const ranked = [...scores.values()].sort(
      (a, b) => b.held - a.held || b.score - a.score || a.place - b.place,
    );
    const hits = [];
    let whole = 0;
    let looked = 0;
    const exact = chunks.some((chunk) => chunk.exact);
    for (const row of ranked) {
      const block = blockOf(row.place, blocks);
      if (section && sections[block.section][0] !== section) continue;
      if (!exact) {
        // Words alone are proved by the postings: only what is shown needs its place and text.
        if (row.held === chunks.length) whole += 1;
        else if (hits.length >= SHOWN) break;
        if (hits.length < SHOWN) {
          hits.push({ row, block, whole: row.held === chunks.length });
        }
        continue;
      }
      if (looked >= CHECKED || (hits.length >= SHOWN && row.held < chunks.length)) break;
      looked += 1;
      const place = await placeOf(row.place, block);
      const text = await textOf(place);
      const whereabouts = fold(`${place.title}\n${text}`);
      if (chunks.some((chunk) => chunk.exact && row.held === chunks.length && !whereabouts.includes(chunk.literal))) {
        if (chunks.length === 1) continue;
        row.held -= 1;
        if (!chunks.some((chunk) => whereabouts.includes(chunk.literal))) continue;
      }
      if (row.held === chunks.length) whole += 1;
      if (hits.length < SHOWN) hits.push({ ...place, text, whole: row.held === chunks.length });
    }
    await Promise.all(
      hits.map(async (hit) => {
        if (hit.row) Object.assign(hit, await placeOf(hit.row.place, hit.block));
        hit.text ??= await textOf(hit);
      }),
    );
    hits.sort((a, b) => Number(b.whole) - Number(a.whole));
    return { hits, whole, more: looked >= CHECKED, chunks };
  };
  fieldguide.search = search;

  // The form that is compared, and where each of its characters stands in the text.
  const aligned = (text) => {
    const whole = fold(text);
    if (whole.length === text.length) return { folded: whole, place: (at) => at };
    const places = [];
    let folded = "";
    let at = 0;
    for (const letter of text) {
      const form = fold(letter);
      for (let unit = 0; unit < form.length; unit += 1) places.push(at);
      folded += form;
      at += letter.length;
    }
    places.push(at);
    return { folded, place: (at) => places[at] };
  };

  // A piece of the text around the first match, with every match marked.
  const snippet = (text, chunks) => {
    const { folded, place } = aligned(text);
    const wanted = chunks.flatMap((chunk) =>
      chunk.exact ? [chunk.literal] : [chunk.literal, stem(chunk.literal)],
    );
    const first = wanted.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
    // Between words, where there are any: Chinese has none.
    let from = first.length ? Math.max(0, Math.min(...first) - BEFORE) : 0;
    if (from > 0) from += folded.slice(from, from + SLACK).search(/\s/) + 1;
    let to = Math.min(folded.length, from + SHOWN_CHARACTERS);
    if (to < folded.length) {
      const cut = folded.slice(to - SLACK, to).search(/\s\S*$/);
      if (cut >= 0) to += cut - SLACK;
    }
    const line = document.createElement("p");
    line.lang = "";
    let at = from;
    if (from > 0) line.append("… ");
    while (at < to) {
      let next = -1;
      let length = 0;
      for (const word of wanted) {
        const here = word ? folded.indexOf(word, at) : -1;
        if (here >= 0 && (next < 0 || here < next || (here === next && word.length > length))) {
          next = here;
          length = word.length;
        }
      }
      if (next < 0 || next + length > to) break;
      line.append(text.slice(place(at), place(next)));
      const mark = document.createElement("mark");
      mark.textContent = text.slice(place(next), place(next + length));
      line.append(mark);
      at = next + length;
    }
    line.append(text.slice(place(at), place(to)), to < folded.length ? " …" : "");
    return line;
  };

  // Builds field, filters and hits inside an element. The page that searches keeps the query in
  // its address; elsewhere a link leads to that page.
  const mount = async (place, page) => {
    const kept = !page;
    const { search: words, count: forms } = fieldguide.words;
    place.innerHTML = `<form class="search-form" role="search">
      <input type="search" name="q" autocomplete="off" spellcheck="false" autocapitalize="off">
      <div class="filters" role="group"></div>
      <p class="outcome"><span class="count" role="status"></span> <a class="link" hidden></a></p></form><ol class="records hits"></ol>`;
    const field = place.querySelector("input");
    const filters = place.querySelector(".filters");
    const count = place.querySelector(".count");
    const list = place.querySelector(".hits");
    const toSearch = place.querySelector(".link");
    toSearch.textContent = words.link;
    field.setAttribute("aria-label", words.label);
    field.placeholder = words.placeholder;
    filters.setAttribute("aria-label", words.title);
    const { sections } = (await directory()) ?? { sections: [] };
    const inAddress = () => new URLSearchParams(location.hash.slice(1) || location.search);
    const state = kept ? inAddress() : new URLSearchParams();
    let section = state.get("in") ?? "";
    for (const [name, label] of [["", words.all], ...sections.filter((row) => row[2])]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.dataset.section = name;
      button.setAttribute("aria-pressed", String(name === section));
      button.addEventListener("click", () => {
        section = name;
        for (const other of filters.children) {
          other.setAttribute("aria-pressed", String(other.dataset.section === section));
        }
        show();
      });
      filters.append(button);
    }
    let asked = 0;
    const show = async () => {
      const query = field.value;
      const mine = ++asked;
      const next = new URLSearchParams({ q: query, ...(section && { in: section }) });
      if (kept) history.replaceState(null, "", location.pathname + (query ? `#${next}` : ""));
      else toSearch.href = `${page}#${next}`;
      const result = await search(query, section);
      if (mine !== asked) return; // somebody typed on
      list.replaceChildren();
      toSearch.hidden = kept || !query.trim();
      const { hits, whole, more, chunks } = result;
      count.textContent = !query.trim()
        ? ""
        : whole
          ? fieldguide.counted(whole, more ? forms.found_at_least : forms.found)
          : hits.length
            ? words.part
            : words.none;
      let parting = whole > 0;
      for (const hit of hits) {
        if (parting && !hit.whole) {
          parting = false;
          const line = document.createElement("li");
          line.className = "parting";
          line.textContent = words.part;
          list.append(line);
        }
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = root + hit.path.split("#").map((part) => part.split("/").map(encodeURIComponent).join("/")).join("#");
        link.textContent = hit.title;
        link.dir = "auto";
        link.lang = ""; // what is found is in its own language
        const about = document.createElement("span");
        about.className = "quiet";
        about.textContent = ` ${sections[hit.section][1]}`;
        item.append(link, about, snippet(hit.text, chunks));
        list.append(item);
      }
    };
    field.addEventListener("input", show);
    place.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      list.querySelector("a")?.click();
    });
    place.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const stops = [field, ...list.querySelectorAll("a")];
      const at = stops.indexOf(document.activeElement);
      const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (at >= 0 && next) {
        event.preventDefault();
        next.focus();
      }
    });
    if (kept) {
      field.value = state.get("q") ?? "";
      if (field.value) show();
      addEventListener("hashchange", () => {
        const changed = inAddress();
        if ((changed.get("q") ?? "") !== field.value) {
          field.value = changed.get("q") ?? "";
          show();
        }
      });
    }
    field.focus();
    return field;
  };

  fieldguide.mountSearch = mount;
  const here = document.querySelector(".search-here");
  if (here) mount(here);
})();
