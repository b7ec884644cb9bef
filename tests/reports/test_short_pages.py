"""Short pages, one a line: how things are hidden, and what only looks like it.

The first word is the one rule that rejects the page; ``ok`` passes without an error.
"""

from __future__ import annotations

import pytest

from generator.reports.checker import check_page

Q = '<script src="https://cdn.jsdelivr.net/npm/@pardnchiu/quickui@0.6.17/dist/QuickUI.js"></script>'
E = '<script src="https://cdn.jsdelivr.net/npm/echarts@6/dist/echarts.min.js"></script>'
H = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>t</title>"
    '<meta name=viewport content="width=device-width">'
)
M = '<div id="app">{{ t }}</div><script>new QUI({id:"app",data:{t:1}})</script>'
C = '<div id=c style="height:9px"></div>'


def pg(body: str, head: str = Q) -> str:
    return f"{H}{head}</head><body>{body}</body></html>"


def s(script: str, head: str = Q) -> str:
    return pg(f"{M}<script>{script}</script>", head)


# fmt: off
PAGES = [
('ok',s('const el=document.querySelector("p"); el?.classList.add("x"); el && (el.textContent += "a")')),
('ok',s('class X extends HTMLElement{ connectedCallback(){ this.textContent="x"; this.attachShadow({mode:"open"}) } } customElements.define("x-y",X)')),
('markup-from-script',s('class X extends HTMLElement{ connectedCallback(){ this.innerHTML=`<b>${1}</b>` } }')),
('markup-from-script',s('document["body"]["inner".concat("HTML")]="x"')),
('markup-from-script',s('const k="LMTHrenni".split("").reverse().join("");document.body[k]="<b>"')),
('markup-from-script',s('const k=String.fromCharCode(105,110,110,101,114,72,84,77,76);document.body[k]="<b>"')),
('markup-from-script',s('const k=atob("aW5uZXJIVE1M");document.body[k]="<b>"')),
('markup-from-script',s('const k="innerhtml".replace("html","HTML");document.body[k]="<b>"')),
('markup-from-script',s('const {body:b}=document; b.innerHTML="<b>"')),
('markup-from-script',s('let h="";for(const x of [1])h+="<li>"+x;document.body.innerHTML=h')),
('markup-from-script',s('const w=window;w.document.write("x")')),
('markup-from-script',s('(self.document||0).write("x")')),
('markup-from-script',s('const m="write";document[m]("x")')),
('markup-from-script',s('document?.write?.("x")')),
('markup-from-script',s('[document.body].forEach(e=>{e.innerHTML="<b>"})')),
('markup-from-script',s('Object.assign(document.createElement("div"),{className:"x",innerHTML:"<b>"})')),
('markup-from-script',s('Object.assign(document.body,{["inner"+"HTML"]:"<b>"})')),
('markup-from-script',s('Reflect.set(document.body,"inner"+"HTML","<b>")')),
('markup-from-script',s('Reflect.apply(document.write,document,["x"])')),
('markup-from-script',s('const f=document.write; f.apply(document,["x"])')),
('markup-from-script',s('const {insertAdjacentHTML:i}=Element.prototype; i.call(document.body,"beforeend","<b>")')),
('markup-from-script',s('const i=document.body.insertAdjacentHTML; i.call(document.body,"beforeend","<b>")')),
('markup-from-script',s('const p=DOMParser; new p().parseFromString("<b>","text/html")')),
('markup-from-script',s('for (document.body.innerHTML of ["<b>"]);')),
('markup-from-script',s('const set=(el,k,v)=>{el[k]=v}; set(document.body,"innerHTML","<b>")')),
('markup-from-script',s('const P={h:"innerHTML"}; document.body[P.h]="<b>"')),
('markup-from-script',s('document.body["\\x69nnerHTML"]="<b>"')),
('markup-from-script',s('document.body.\\u0069nnerHTML="<b>"')),
('markup-from-script',s('const [a,b]=["inner","HTML"]; document.body[a+b]="<b>"')),
('markup-from-script',s('Object.entries({innerHTML:"<b>"}).forEach(([k,v])=>{document.body[k]=v})')),
('markup-from-script',s('for (const k in {outerHTML:1}) document.body[k]="<b>"')),
('markup-from-script',s('jQuery("#x").html("<b>")',Q+'<script src="https://cdn.jsdelivr.net/npm/jquery@3/dist/jquery.min.js"></script>')),
('ok',s('const x=jQuery("#x").html(); jQuery("#x").html(""); jQuery("#x").text("<b>")')),
('markup-from-script',s('frames[0].document.write("x")')),
('markup-from-script',s('const ifr=document.createElement("iframe");document.body.append(ifr);ifr.contentDocument.write("x")')),
('ok',s('const chart={setOption(){}}; chart.setOption({tooltip:{formatter:p=>`<b>${p}</b>`}, graphic:{innerHTML:"x"}})')),
('ok',s('const o={};o.innerHTML="a";o["outerHTML"]="b"')),
('ok',s('fetch("x").then(r=>r.text()).then(t=>{document.body.dataset.x=t})')),
('ok',s('const eval_=1; function evaluate(){}; window.evaluate=evaluate; evaluate("x"); ({eval:1}).eval')),
('dynamic-code',s('window["eval"]("1")')),
('dynamic-code',s('globalThis.eval("1")')),
('dynamic-code',s('const e=window.eval; e("1")')),
('dynamic-code',s('setTimeout(`draw(${1})`,1)')),
('dynamic-code',s('const c="a()"; setInterval(c,1)')),
('dynamic-code',s('new (Function)("x")')),
('dynamic-code',s('[].constructor.constructor("return 1")()')),
('dynamic-code',s('const {eval:e}=window;e("1")')),
('dynamic-code',s('Reflect.construct(Function,["x"])')),
('ok',s('setTimeout(()=>{},1); const id=setTimeout(function(){},1); clearTimeout(id)')),
('ok',s('const f=function(){}; setTimeout(f.bind(null,1),5); setTimeout(window.foo,5)')),
('script-syntax',pg(M+'<script>let a=1</script><script>let a=2</script>')),
('ok',pg(M+'<script>{let a=1}</script><script>{let a=2}</script>')),
('script-syntax',pg(M+'<script>function f(){}</script><script>const f=1</script>')),
('ok',pg(M+'<script>var a=1</script><script>function a(){}</script>')),
('script-syntax',pg(M+'<script>const location="x"</script>')),
('ok',pg(M+'<script>const name="x", status=1, event=2, length=3</script>')),
('script-syntax',pg(M+'<p onclick="x(">')),
('ok',pg(M+'<p onclick="return false">x</p><p onfoo="x(">y</p><form onsubmit="event.preventDefault(); go?.()"></form>')),
('script-syntax',pg(M+'<script type=module>await 1; import.meta.url; export const a = 1; export const a = 2</script>')),
('ok',pg(M+'<script type=module>await 1; import.meta.url; export const a = 1;</script>')),
('script-syntax',pg(M+'<script>await 1</script>')),
('script-syntax',pg(M+'<script>var x = 08n</script>')),
('ok',pg(M+'<script>var x = 010; with({}){}; delete x</script>')),
('json-syntax',pg(M+'<script type="application/json">{"a":Infinity}</script>')),
('json-syntax',pg(M+'<script type="application/vnd.api+json">{a:1}</script>')),
('ok',pg(M+'<script type="application/json">\n [1,\n 2]\n</script>')),
('template-expression',pg('<div id=app>{{ t.toFixed(2) }}</div><script>new QUI({id:"app",data:{t:1}})</script>')),
('template-expression',pg('<div id=app>{{ t }} {{ `x` }}</div><script>new QUI({id:"app",data:{t:1}})</script>')),
('template-expression',pg('<div id=app data-x="{{ t }}">{{ t }}</div><script>new QUI({id:"app",data:{t:1}})</script>')),
('ok',pg('<div id=app><textarea>{{ t }}</textarea></div><script>new QUI({id:"app",data:{t:1}})</script>')),
('ok',pg('<div id=app><p :for="(v, i) in list">{{ i }} {{ v }}</p></div><script>new QUI({id:"app",data:{list:["a"]}})</script>')),
('ok',pg('<div id=app><p :for="x in a.b">{{ x.c.d }}</p></div><script>new QUI({id:"app",data:{a:{b:[{c:{d:1}}]}}})</script>')),
('template-expression',pg('<div id=app><p :for="x in a.b">{{ x.c.e }}</p></div><script>new QUI({id:"app",data:{a:{b:[{c:{d:1}}]}}})</script>')),
('ok',pg('<div id=app>{{ a }}</div><script>const d={}; d.a=1; new QUI({id:"app",data:d})</script>')),
('ok',pg('<div id=app>{{ a }}</div><script>function mk(){return {a:1}} new QUI({id:"app",data:mk()})</script>')),
('ok',pg('<div id=app>{{ a }}</div><script>const rows=[1,2].map(x=>({x})); new QUI({id:"app",data:{a:rows.length, rows}})</script>')),
('ok',pg('<div id=app><p :for="r in rows">{{ r.x }} {{ r.y }}</p></div><script>const rows=[1,2].map(x=>({x,y:x*2})); new QUI({id:"app",data:{rows}})</script>')),
('ok',pg('<div id=app>{{ a.b }}</div><script>new QUI({id:"app",data:{a:JSON.parse("{\\"b\\":1}")}})</script>')),
('ok',pg('<div id=app>{{ a }}</div><script>let a; a = compute(); function compute(){ return 4 } new QUI({id:"app",data:{a}})</script>')),
('ok',pg('<div id=app>{{ a }}</div><script>let a=0; for(let i=0;i<3;i++) a+=i; new QUI({id:"app",data:{a}})</script>')),
('ok',pg('<div id=app>{{ a }}</div><script>let a=null; if(Math.random()>2) a=1; a = a ?? 3; new QUI({id:"app",data:{a}})</script>')),
('ok',pg('<div id=app>{{ a.x }}</div><script>const a={}; ["x"].forEach(k=>{a[k]=1}); new QUI({id:"app",data:{a}})</script>')),
('ok',pg('<div id=app>{{ a.x }}</div><script>const a={}; Object.assign(a,{x:1}); new QUI({id:"app",data:{a}})</script>')),
('ok',pg('<div id=app>{{ a.x }}</div><script>const a={}; fill(a); function fill(o){o.x=1} new QUI({id:"app",data:{a}})</script>')),
('ok',pg('<div id=app><p :for="r in rows">{{ r.n }}</p></div><script>const rows=[]; for(const n of [1,2]) rows.push({n}); new QUI({id:"app",data:{rows}})</script>')),
('ok',pg('<div id=app><p :for="r in rows">{{ r.n }} {{ r.m }}</p></div><script>const rows=[{n:1}]; rows.forEach(r=>{r.m=2}); new QUI({id:"app",data:{rows}})</script>')),
('ok',pg('<div id=app>{{ a.length }} {{ s.length }}</div><script>new QUI({id:"app",data:{a:[1], s:"x"}})</script>')),
('ok',pg('<div id=app>{{ n }}</div><script>const d={get n(){return 1}}; new QUI({id:"app",data:d})</script>')),
('ok',pg('<div id=app>{{ n }}</div><script>class D{constructor(){this.n=1}} new QUI({id:"app",data:new D()})</script>')),
('compound-if',pg('<div id=app><p :if="a &amp;&amp; b">{{ a }}</p></div><script>new QUI({id:"app",data:{a:1,b:1}})</script>')),
('if-operand',pg('<div id=app><p :if="a === &quot;x&quot;">{{ a }}</p></div><script>new QUI({id:"app",data:{a:1,b:1}})</script>')),
('ok',pg('<div id=app><p :if="a.b.c === x-y">{{ a }}</p><p :else>q</p></div><script>new QUI({id:"app",data:{a:1,b:1}})</script>')),
('ok',pg(C+M+'<script>const ids={a:"c"};T.init(ids.a,{})</script>',Q+E)),
('ok',pg(C+M+'<script>[{id:"c"}].map(x=>T.init(x.id,{}))</script>',Q+E)),
('ok',pg(C+M+'<script>(()=>{const c=document.getElementById("c"); if(!c) return; T.init(c,{})})()</script>',Q+E)),
('chart-container',pg(C+M+'<script>const c=document.getElementById("d"); T.init(c,{})</script>',Q+E)),
('chart-container',pg(C+M+'<script>const {init}=T; init("d",{})</script>',Q+E)),
('chart-container',pg(C+M+'<script>window.T.init("d",{})</script>',Q+E)),
('chart-container',pg(C+M+'<script>T["init"]("d",{})</script>',Q+E)),
('chart-container',pg('<script>T.init("c",{})</script>'+C+M,Q+E)),
('ok',pg('<script type=module>T.init("c",{})</script>'+C+M,Q+E)),
('ok',pg(C+M+'<script>async function go(){ await 1; T.init("c",{}) } go()</script>',Q+E)),
('ok',pg(C+M+'<script>const charts=["c"].map(id=>({id,opt:{}})); for(const {id,opt} of charts) T.init(id,opt)</script>',Q+E)),
('missing-quickui',pg('<div id=app>x</div><script>new Qui({id:"app"})</script>')),
('missing-quickui',pg('<div id=app>x</div><script>new QUI({id:"app"})</script>','<script src="notquickui.js"></script>')),
('missing-quickui',pg('<div id=app>x</div><script>new QUI({id:"app"})</script>','<script src="QuickUI.css"></script>')),
('missing-quickui',pg('<div id=app>x</div><script>new QUI({id:"app"})</script>','<!-- '+Q+' -->')),
('missing-quickui',pg('<div id=app>x</div><script>new QUI({id:"app"})</script>','<template>'+Q+'</template>')),
('missing-quickui',pg('<div id=app>x</div><script type="text/template">new QUI({id:"app"})</script>')),
('missing-quickui',pg('<div id=app>x</div><script>class QUI{constructor(){}} new QUI({id:"app"})</script>','')),
('ok',pg('<div id=app>x</div><script>const mount=(id)=>new QUI({id,data:{}}); ["app"].forEach(mount)</script>')),
('ok',pg('<div id=app>x</div><script>window.addEventListener("DOMContentLoaded",function(){ init() }); function init(){ new QUI({id:"app",data:{}}) }</script>')),
('ok',pg('<div id=app>x</div><script>const App={ start(){ new QUI({id:"app",data:{}}) } }; App.start()</script>')),
('ok',pg('<div id=app>x</div><script>if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", go); else go(); function go(){ new QUI({id:"app",data:{}}) }</script>')),
('ok',pg('<script>if (document.readyState === "loading") { document.addEventListener("DOMContentLoaded", go); } else { go(); } function go(){ new QUI({id:"app",data:{}}) }</script><div id=app>x</div>')),
('ok',pg('<div id=app>x</div><script>try { new QUI({id:"app",data:{}}) } catch (e) { console.error(e) }</script>')),
('ok',pg('<div id=app>x</div><script>window.onload = () => { const app = new QUI({id:"app",data:{}}); window.app = app }</script>')),
('ok',pg('<div id=app>x</div><script>$(function(){ new QUI({id:"app",data:{}}) })</script>')),
('ok',pg('<div id=app>x</div><script defer>new QUI({id:"app",data:{}})</script>')),
('ok',pg('<div id=app>x</div><script>new QUI({"id":"app","data":{}})</script>')),
('ok',pg('<div id=app>x</div><script>const {QUI:Q}=window; new Q({id:"app"})</script>')),
('ok',pg('<div id=app>x</div><script>var QUI = window.QUI; new QUI({id:"app"})</script>')),
('ok',pg('<div id="root"></div><script>const d=document.createElement("div"); d.id="app"; document.body.append(d); new QUI({id:"app",data:{}})</script>')),
('ok',pg('<div id=app>x</div><script>let app; document.addEventListener("DOMContentLoaded", async () => { const r = await fetch("x"); app = new QUI({id:"app",data:await r.json()}) })</script>')),
('truncated-page',pg(M).replace('</body></html>','<div class="a')),
('ok',pg(M).replace('</body></html>','')),
('markdown-fence','```html\n'+pg(M)+'\n```'),
('markdown-fence','Sure! Here it is\n'+pg(M)),
('ok','\n\n  '+pg(M)+'\n\n<!-- made today -->\n'),
('ok','<!-- header -->\n'+pg(M)),
('ok',pg(M+'<p>a ~~~ b</p>')),
('duplicate-id',pg('<div id=app>{{ t }}</div><div id=app>x</div><script>new QUI({id:"app",data:{t:1}})</script>')),
]
# fmt: on


@pytest.mark.parametrize(
    ("rule", "page"), PAGES, ids=lambda value: value if len(value) < 30 else ""
)
def test_page(rule: str, page: str) -> None:
    errors = {found.rule for found in check_page(page) if found.severity == "error"}
    assert errors == (set() if rule == "ok" else {rule})
