/* QuickUI's documented template language in a small runtime of Fieldguide's own, so that a saved
   report works from disk. What fails without a word in QuickUI shows the same here, with one
   console warning that says why. Global: QUI. Licence: MIT. */
(() => {
  "use strict";

  const BRACES = /\{\{\s*([^{}]*?)\s*\}\}/g;
  const PATH = /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*$/;
  const CALL = /^(LENGTH|UPPER|LOWER|DATE|CALC)\((.*)\)$/;
  const PRODUCT = /^([A-Za-z_$][\w$.]*)\s*([-+*/%])\s*(-?\d+(?:\.\d+)?)$/;
  const COMPARISON = /^([\w$.]+)\s*(===|!==|==|!=|>=|<=|>|<)\s*(.*)$/;
  const LOOP = /^\s*(?:\(\s*([\w$]+)\s*,\s*([\w$]+)\s*\)|([\w$]+))\s+in\s+(.+?)\s*$/;
  const SCRIPT_TYPES = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i;
  const RAW = /^(if|else-if|elif|else|for|html|model|hide|lazyload|path)$/;

  const said = new Set();
  const warn = (message) => {
    if (said.has(message)) return;
    said.add(message);
    console.warn(`QuickUI: ${message}`);
  };

  /* The whole mount stays as it was written, which is what QuickUI does when it throws. */
  class LeftRaw extends Error {}

  const directive = (element, name) =>
    element.getAttribute(`:${name}`) ?? element.getAttribute(`q-${name}`);

  /* ---- Values ---------------------------------------------------------------------------- */

  /* What a name means: loop variables first, then the language, then data. */
  class Scope {
    constructor(app, locals) {
      this.app = app;
      this.locals = locals;
    }

    first(name) {
      if (Object.hasOwn(this.locals, name)) return this.locals[name];
      if (name === "i18n" && this.app.phrases) return this.app.phrases;
      return Object.hasOwn(this.app.source, name) ? this.app.source[name] : undefined;
    }

    /* The value behind a data path, undefined when there is none. */
    lookup(path) {
      const [name, ...rest] = path.split(".");
      let value = this.first(name);
      for (const step of rest) {
        if (value === null || value === undefined) return undefined;
        const owner = Object(value);
        value = step === "length" || Object.hasOwn(owner, step) ? owner[step] : undefined;
      }
      return typeof value === "function" ? undefined : value;
    }
  }

  const twoDigits = (number) => String(number).padStart(2, "0");

  const formatDate = (seconds, format) => {
    const date = new Date(Number(seconds) * 1000);
    const parts = {
      YYYY: String(date.getFullYear()),
      MM: twoDigits(date.getMonth() + 1),
      DD: twoDigits(date.getDate()),
      hh: twoDigits(date.getHours()),
      HH: twoDigits(date.getHours()),
      mm: twoDigits(date.getMinutes()),
      ss: twoDigits(date.getSeconds()),
    };
    return format.replace(/YYYY|MM|DD|hh|HH|mm|ss/g, (part) => parts[part]);
  };

  const calculate = (left, operator, right) => {
    if (operator === "+") return left + right;
    if (operator === "-") return left - right;
    if (operator === "*") return left * right;
    return operator === "/" ? left / right : left % right;
  };

  /* One of the five built-in functions in the form that works; any other form is fatal. */
  const callBuiltIn = (name, argument, scope) => {
    const fatal = (why) => {
      throw new LeftRaw(`${name}(${argument}) ${why}, so nothing of this mount is filled in.`);
    };
    if (name === "CALC") {
      const product = PRODUCT.exec(argument.trim());
      if (!product) fatal("is not one path, one operator and one number");
      return calculate(Number(scope.lookup(product[1])), product[2], Number(product[3]));
    }
    if (name === "DATE") {
      const comma = argument.indexOf(",");
      if (comma < 0) fatal("has no format");
      const seconds = scope.lookup(argument.slice(0, comma).trim());
      return formatDate(seconds, argument.slice(comma + 1).trim());
    }
    const value = scope.lookup(argument.trim());
    if (name === "LENGTH") {
      if (value === null || value === undefined) return undefined;
      return typeof value === "object" && !Array.isArray(value)
        ? Object.keys(value).length
        : String(value.length ?? "");
    }
    if (typeof value !== "string") fatal("is given no text");
    return name === "UPPER" ? value.toUpperCase() : value.toLowerCase();
  };

  const evaluate = (expression, scope) => {
    const call = CALL.exec(expression);
    if (call) return callBuiltIn(call[1], call[2], scope);
    if (!PATH.test(expression)) {
      warn(`{{ ${expression} }} stays on the page: only plain data paths are filled in.`);
      return undefined;
    }
    const value = scope.lookup(expression);
    if (value === null || value === undefined) {
      warn(`{{ ${expression} }} stays on the page: data has no such value.`);
      return undefined;
    }
    return String(value);
  };

  /* Fill the braces of a text. A value goes through replace() as text, so "$&" in it turns into
     the braces again, as it does in QuickUI. */
  const fill = (text, scope) =>
    text.replace(BRACES, (braces, expression) => {
      const value = evaluate(expression, scope);
      if (value === undefined) return braces;
      const shown = String(value);
      if (/\$[$&`']/.test(shown)) {
        warn(`the value of {{ ${expression} }} holds $& or its kin, which corrupts the text.`);
      }
      return braces.replace(braces, shown);
    });

  /* ---- Conditions ------------------------------------------------------------------------ */

  const equals = (left, right, text) => {
    if (/^['"`]/.test(right)) {
      warn(`:if="${text}" compares with the quotes as well: write the bare word.`);
      return String(left) === right;
    }
    if (right === "0") {
      warn(`:if="${text}" never equals 0: bind a true or false value instead.`);
      return false;
    }
    if (right === "null") return left === null || left === undefined;
    if (right === "empty") return left === "";
    if (right === "true" || right === "false") return String(left) === right;
    if (typeof left === "number") return left === Number(right);
    return left !== null && left !== undefined && String(left) === right;
  };

  const holds = (text, scope) => {
    const condition = text.trim();
    if (PATH.test(condition)) return Boolean(scope.lookup(condition));
    const parts = COMPARISON.exec(condition);
    if (!parts || !PATH.test(parts[1])) {
      warn(`:if="${text}" is never shown: it takes one path, or a path compared with a literal.`);
      return false;
    }
    const [first, ...more] = parts[3].split(/&&|\|\||\s(?:and|or)\s/);
    if (more.length) warn(`:if="${text}" counts its first comparison only.`);
    const left = scope.lookup(parts[1]);
    const right = first.trim();
    const operator = parts[2];
    if (operator[0] === "=") return equals(left, right, text);
    if (operator[0] === "!") return !equals(left, right, text);
    const limit = Number(right);
    if (Number.isNaN(limit)) warn(`:if="${text}" compares with 0: the right side takes a number.`);
    const number = Number(left);
    if (operator === ">") return number > (limit || 0);
    if (operator === "<") return number < (limit || 0);
    return operator === ">=" ? number >= (limit || 0) : number <= (limit || 0);
  };

  /* ---- Building: from the written nodes to what should stand on the page ------------------ */

  class Builder {
    constructor(app) {
      this.app = app;
    }

    /* The wanted nodes of a list of written ones: {key, node, locals, text, children, ...}. */
    list(nodes, scope, prefix = "") {
      const wanted = [];
      let chain = null; // whether a branch of the running :if chain was taken; null outside
      nodes.forEach((node, index) => {
        const key = `${prefix}${index}`;
        if (node.nodeType !== Node.ELEMENT_NODE) {
          if (node.nodeType !== Node.TEXT_NODE || node.nodeValue.trim()) chain = null;
          wanted.push({ key, node, text: this.text(node, scope) });
          return;
        }
        const loop = directive(node, "for");
        if (loop !== null) {
          chain = null;
          this.rows(node, loop, scope, key, wanted);
          return;
        }
        const branch = this.branch(node, chain, scope);
        chain = branch.chain;
        if (branch.shown) this.one(node, scope, key, wanted);
      });
      return wanted;
    }

    text(node, scope) {
      if (node.nodeType !== Node.TEXT_NODE) return node.nodeValue;
      return node.nodeValue.includes("{{") ? fill(node.nodeValue, scope) : node.nodeValue;
    }

    branch(node, chain, scope) {
      const opening = directive(node, "if");
      if (opening !== null) {
        const shown = holds(opening, scope);
        return { shown, chain: shown };
      }
      const next = directive(node, "else-if") ?? directive(node, "elif");
      const last = directive(node, "else");
      if (next === null && last === null) return { shown: true, chain: null };
      if (chain === null) {
        warn(":else stands after something that is no :if branch, so it does not belong to one.");
      }
      const shown = !chain && (next === null || holds(next, scope));
      return { shown, chain: next === null ? null : Boolean(chain) || shown };
    }

    rows(node, loop, scope, key, wanted) {
      const parts = LOOP.exec(loop);
      const list = parts && PATH.test(parts[4]) ? scope.lookup(parts[4]) : undefined;
      if (list === null || typeof list !== "object") {
        warn(`:for="${loop}" has no list to go through, so one raw row is shown.`);
        this.one(node, scope, `${key}:raw`, wanted);
        return;
      }
      Object.keys(list).forEach((name) => {
        // Only this loop's own variables: QuickUI hides those of an outer loop from an inner one.
        const locals = Object.create(null);
        if (parts[3]) locals[parts[3]] = list[name];
        else [locals[parts[1]], locals[parts[2]]] = [name, list[name]];
        const inner = new Scope(this.app, locals);
        const condition = directive(node, "if");
        if (condition === null || holds(condition, inner)) {
          this.one(node, inner, `${key}:${name}`, wanted);
        }
      });
    }

    one(node, scope, key, wanted) {
      const external = /^TEMP(-SVG)?$/.exec(node.tagName);
      const address = external && directive(node, external[1] ? "src" : "path");
      if (address) {
        const loaded = this.app.load(scope.lookup(address) ?? address);
        if (loaded) wanted.push(...this.list(loaded, scope, `${key}/`));
        return;
      }
      wanted.push(this.element(node, scope, key));
    }

    element(node, scope, key) {
      const want = { key, node, scope, attributes: {}, styles: {}, events: {}, children: [] };
      for (const { name, value } of node.attributes) {
        const bound = /^(?::|q-)(.+)$/.exec(name);
        const event = /^(?:@|qe-)(.+)$/.exec(name);
        if (event) want.events[event[1]] = value;
        else if (bound && !RAW.test(bound[1])) this.bind(want, node, bound[1], value, scope);
        else if (!bound && value.includes("{{")) {
          warn(`${name}="${value}" keeps its braces: write :${name} to fill an attribute.`);
        }
      }
      if (directive(node, "path") !== null) warn(":path works on <temp> only.");
      const html = directive(node, "html");
      if (html !== null) want.html = String(scope.lookup(html) ?? html);
      else if (!(node.tagName === "SCRIPT" && SCRIPT_TYPES.test(node.type))) {
        want.children = this.list([...node.childNodes], scope);
      }
      const hide = directive(node, "hide");
      if (hide !== null) want.hidden = this.hides(hide.trim(), scope);
      want.model = directive(node, "model");
      const lazy = directive(node, "lazyload");
      if (lazy !== null) want.lazy = String(scope.lookup(lazy) ?? lazy);
      return want;
    }

    bind(want, node, name, value, scope) {
      const found = PATH.test(value) ? scope.lookup(value) : undefined;
      const shown = found === undefined || found === null ? fill(value, scope) : String(found);
      const property = name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
      const isStyle = node instanceof HTMLElement && property in node.style && !(property in node);
      (isStyle ? want.styles : want.attributes)[name] = shown;
    }

    hides(expression, scope) {
      if (!PATH.test(expression)) return expression !== "";
      const value = scope.lookup(expression);
      return value === undefined ? true : Boolean(value);
    }
  }

  /* ---- Patching: from what stands on the page to what should ------------------------------ */

  const isDirective = (name) => /^(:|@|q-|qe-)/.test(name);

  class Patcher {
    constructor(app) {
      this.app = app;
    }

    /* The first time the written nodes themselves are taken over, so that listeners, charts and
       focus stay. Behind a loop or a hidden branch QuickUI makes new ones; so does this. */
    adopt(parent, written, wanted) {
      const byKey = new Map(wanted.map((want) => [want.key, want]));
      const place = new Map();
      const counts = new Map();
      wanted.forEach(({ node }) => counts.set(node, (counts.get(node) ?? 0) + 1));
      let shifted = false;
      [...parent.childNodes].forEach((live, index) => {
        const want = byKey.get(`${index}`) ?? byKey.get(`${index}:0`);
        const node = written[index];
        if (!shifted && want && want.node === node) {
          place.set(want.key, live);
          this.takeOver(want, live);
        } else {
          if (shifted && live.querySelector?.("canvas, [_echarts_instance_]")) {
            warn("a drawn chart after a :for or a false :if was replaced: draw it in when.rendered.");
          }
          live.remove();
        }
        if (counts.get(node) !== 1) shifted = true;
      });
      this.arrange(parent, wanted, (want) => place.get(want.key));
    }

    update(parent, before, wanted) {
      const old = new Map(before.map((want) => [want.key, want]));
      const kept = new Set();
      wanted.forEach((want) => {
        const previous = old.get(want.key);
        if (previous && previous.node === want.node) {
          kept.add(previous.live);
          this.change(previous, want);
        }
      });
      before.forEach(({ live }) => kept.has(live) || live.remove());
      this.arrange(parent, wanted, (want) => want.live);
    }

    arrange(parent, wanted, find) {
      let after = null;
      wanted.forEach((want) => {
        const live = find(want) ?? this.create(want);
        const next = after ? after.nextSibling : parent.firstChild;
        if (live !== next) parent.insertBefore(live, next);
        after = live;
      });
    }

    create(want) {
      const live = want.node.cloneNode(false);
      want.live = live;
      if (want.node.nodeType !== Node.ELEMENT_NODE) {
        live.nodeValue = want.text;
        return live;
      }
      if (want.node.tagName === "TEMPLATE") live.content.append(want.node.content.cloneNode(true));
      if (want.node.tagName === "SCRIPT") live.textContent = want.node.textContent;
      this.dress(want, live);
      want.children.forEach((child) => live.append(this.create(child)));
      this.finish(want);
      return live;
    }

    takeOver(want, live) {
      want.live = live;
      if (live.nodeType !== Node.ELEMENT_NODE) {
        if (live.nodeValue !== want.text) live.nodeValue = want.text;
        return;
      }
      this.dress(want, live);
      if (want.children.length || want.node.childNodes.length) {
        if (want.node.tagName !== "SCRIPT" || want.children.length) {
          this.adopt(live, [...want.node.childNodes], want.children);
        }
      }
      this.finish(want);
    }

    change(previous, want) {
      const { live } = previous;
      want.live = live;
      if (live.nodeType !== Node.ELEMENT_NODE) {
        if (previous.text !== want.text) live.nodeValue = want.text;
        return;
      }
      this.set(previous, want);
      if (want.html === undefined) this.update(live, previous.children, want.children);
      this.finish(want);
    }

    dress(want, live) {
      [...live.attributes].forEach(({ name }) => isDirective(name) && live.removeAttribute(name));
      Object.entries(want.events).forEach(([type, name]) => {
        const handler = /^[\w$]+$/.test(name.trim()) ? this.app.events[name.trim()] : undefined;
        if (typeof handler === "function") {
          live.addEventListener(type, (event) => handler.call(this.app, event));
        } else warn(`@${type}="${name}" does nothing: it takes the name of a function in event.`);
      });
      if (want.model !== null) this.app.listen(live, want);
      this.set({ attributes: {}, styles: {} }, want);
    }

    set(previous, want) {
      const { live } = want;
      for (const [name, value] of Object.entries(want.attributes)) {
        if (previous.attributes[name] !== value) live.setAttribute(name, value);
      }
      for (const [name, value] of Object.entries(want.styles)) {
        if (previous.styles[name] !== value) live.style.setProperty(name, value);
      }
      if (want.hidden !== previous.hidden) live.style.display = want.hidden ? "none" : "";
      if (want.html !== undefined && want.html !== previous.html) live.innerHTML = want.html;
      if (want.lazy !== undefined && want.lazy !== previous.lazy) this.app.whenSeen(live, want.lazy);
    }

    /* A select takes its value only once its options stand. */
    finish(want) {
      if (!want.model) return;
      const { live } = want;
      const value = want.scope.lookup(want.model);
      if (live.type === "checkbox") live.checked = Boolean(value);
      else if (live.type === "radio") live.checked = live.value === String(value);
      else if (live.value !== String(value ?? "")) live.value = String(value ?? "");
    }
  }

  /* ---- The mount ------------------------------------------------------------------------- */

  const PLAIN = new Set(["Object", "Array"]);

  /* QuickUI cannot watch a Date and gives up; finding one at any depth says so. */
  const holdsDate = (data) => {
    const waiting = [data];
    const seen = new Set();
    while (waiting.length) {
      const value = waiting.pop();
      if (value === null || typeof value !== "object" || seen.has(value)) continue;
      if (value instanceof Date) return true;
      seen.add(value);
      for (const name of Object.keys(value)) waiting.push(value[name]);
    }
    return false;
  };

  class QUI {
    #options;
    #hooks;
    #proxies = new WeakMap();
    #loaded = new Map();
    #written = [];
    #shown = null;
    #waiting = false;
    #ready;
    #language;

    /* options: id, data, event, i18n, i18nLang, when, once, render, option. */
    constructor(options = {}) {
      this.#options = options;
      this.#hooks = options.when ?? {};
      this.source = options.data ?? {};
      this.events = options.event ?? {};
      this.phrases = null;
      this.#language = options.i18nLang ?? "zh";
      this.data = options.once ? this.source : this.#watch(this.source);
      this.root = this.#find();
      this.#ready = this.root ? this.#parsed().then(() => this.#start()) : Promise.resolve();
    }

    /* Show another language. */
    async lang(name) {
      this.#language = name;
      await this.#loadPhrases();
      this.#schedule();
    }

    /* The rendered nodes, to be put anywhere. */
    async fragment() {
      await this.#ready;
      const fragment = document.createDocumentFragment();
      if (this.root) fragment.append(...this.root.childNodes);
      if (this.root && !this.#options.id) this.root.remove();
      return fragment;
    }

    /* Take the mount off the page. */
    destroy() {
      if (!this.root || this.#hook("beforeDestroy") === false) return;
      this.root.replaceChildren();
      this.root = null;
      this.#hook("destroyed");
    }

    #find() {
      const { id, render } = this.#options;
      if (id === undefined && render) return document.createElement("div");
      const found = typeof id === "string" && id ? document.getElementById(id) : null;
      if (!found) {
        const known = id === undefined ? "no id was given" : `the page has no element "${id}" yet`;
        warn(`nothing is mounted: ${known}. Give id without # and run the script after the element.`);
      } else if (document.querySelectorAll(`#${CSS.escape(id)}`).length > 1) {
        warn(`the id "${id}" stands twice: only the first element is mounted.`);
      }
      return found;
    }

    /* A script inside its own mount runs before the rest of the mount is there. */
    #parsed() {
      if (document.readyState !== "loading" || !this.root.contains(document.currentScript)) {
        return Promise.resolve();
      }
      return new Promise((done) => document.addEventListener("DOMContentLoaded", done));
    }

    #hook(name) {
      const older = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const hook = this.#hooks[name] ?? this.#hooks[older];
      return typeof hook === "function" ? hook.call(this) : undefined;
    }

    async #start() {
      await this.#loadPhrases();
      if (holdsDate(this.source)) {
        warn("data holds a Date, so nothing is filled in: give text or seconds instead.");
        return;
      }
      if (this.#hook("beforeRender") === false) return;
      if (this.#options.render) this.#generate();
      this.#written = [...this.root.childNodes].map((node) => node.cloneNode(true));
      const shown = this.#build();
      if (!shown) return;
      new Patcher(this).adopt(this.root, this.#written, shown);
      this.#shown = shown;
      this.#watchRemoval();
      this.#hook("rendered");
    }

    #generate() {
      const template = document.createElement("template");
      template.innerHTML = String(this.#options.render());
      this.root.replaceChildren(template.content);
      if (!this.#options.id) document.body.append(this.root);
    }

    #build() {
      try {
        return new Builder(this).list(this.#written, new Scope(this, Object.create(null)));
      } catch (error) {
        if (!(error instanceof LeftRaw)) throw error;
        warn(error.message);
        return null;
      }
    }

    #schedule() {
      if (this.#waiting || !this.#shown) return;
      this.#waiting = true;
      queueMicrotask(() => {
        this.#waiting = false;
        if (!this.root || this.#hook("beforeUpdate") === false) return;
        const shown = this.#build();
        if (!shown) return;
        new Patcher(this).update(this.root, this.#shown, shown);
        this.#shown = shown;
        this.#hook("updated");
      });
    }

    #watch(value) {
      if (value === null || typeof value !== "object") return value;
      if (!PLAIN.has(value.constructor?.name ?? "Object")) return value;
      if (!this.#proxies.has(value)) {
        this.#proxies.set(
          value,
          new Proxy(value, {
            get: (target, name) => this.#watch(Reflect.get(target, name)),
            set: (target, name, next) => {
              const same = Object.is(target[name], next) && name !== "length";
              target[name] = next;
              if (!same) this.#schedule();
              return true;
            },
            deleteProperty: (target, name) => {
              delete target[name];
              this.#schedule();
              return true;
            },
          }),
        );
      }
      return this.#proxies.get(value);
    }

    #watchRemoval() {
      if (!this.#hooks.destroyed && !this.#hooks.beforeDestroy && !this.#hooks.before_destroy) return;
      new MutationObserver((_, observer) => {
        if (this.root?.isConnected !== false) return;
        observer.disconnect();
        this.#hook("beforeDestroy");
        this.root = null;
        this.#hook("destroyed");
      }).observe(document, { childList: true, subtree: true });
    }

    async #loadPhrases() {
      const languages = this.#options.i18n;
      if (!languages) return;
      const entry = languages[this.#language];
      if (typeof entry !== "string") {
        if (!entry) warn(`i18n has no language "${this.#language}".`);
        this.phrases = entry ?? {};
        return;
      }
      try {
        this.phrases = await (await fetch(entry)).json();
      } catch {
        warn(`the language file ${entry} could not be loaded.`);
        this.phrases = {};
      }
    }

    /* The nodes of an outside template, undefined until they have come. */
    load(address) {
      if (!this.#loaded.has(address)) {
        this.#loaded.set(address, undefined);
        fetch(address)
          .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
          .then((text) => {
            const template = document.createElement("template");
            template.innerHTML = text;
            this.#loaded.set(address, [...template.content.childNodes]);
            this.#schedule();
          })
          .catch(() => warn(`${address} could not be loaded.`));
      }
      return this.#loaded.get(address);
    }

    /* Write what a person enters back into data. */
    listen(live, want) {
      const write = () => {
        const [name, ...rest] = want.model.split(".");
        const value = live.type === "checkbox" ? live.checked : live.value;
        const { locals } = want.scope;
        if (!rest.length) {
          this.data[name] = value;
          return;
        }
        let owner = Object.hasOwn(locals, name) ? this.#watch(locals[name]) : this.data[name];
        for (const step of rest.slice(0, -1)) owner = owner?.[step];
        if (owner) owner[rest.at(-1)] = value;
      };
      live.addEventListener(/^(checkbox|radio|select-one)$/.test(live.type) ? "change" : "input", write);
    }

    /* Load an image when it comes into view. */
    whenSeen(live, address) {
      if (this.#options.option?.lazyload === false) {
        live.src = address;
        return;
      }
      new IntersectionObserver((entries, observer) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        live.src = address;
      }).observe(live);
    }
  }

  globalThis.QUI = QUI;
})();
