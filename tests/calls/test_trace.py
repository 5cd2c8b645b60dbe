"""Call paths among named symbols: each kind of step that there is, and each that must not be made up."""

from __future__ import annotations

import pytest

from explore.calls.graph import Graph
from explore.calls.trace import trace
from explore.model.calls import How, Traced
from explore.retrieve.question import read_question
from tests.support.corpus import MemoryCorpus, tree

PYTHON = """
    shop/
        base.py
            | class Base:
            |     def run(self):
            |         return self.handle()
            |
            |     def handle(self):
            |         raise NotImplementedError
        cart.py
            | from shop.base import Base
            | from shop.store import Store, open_store
            | from outside import price_of
            |
            | class Cart(Base):
            |     def __init__(self, store: Store):
            |         self.store = store
            |         self.other = Store()
            |
            |     def handle(self):
            |         self.store.save(self)
            |
            |     def look(self):
            |         return price_of(self)
            |
            |     def keep(self):
            |         kept = open_store()
            |         kept.close_all()
            |
            | class Bag(Cart):
            |     def handle(self):
            |         super().handle()
            |
            | class Box(Base):
            |     def start(self):
            |         self.run()
            |
            |     def handle(self):
            |         super().handle()
            |
            | class Sack(Base):
            |     pass
            |
            | def fill():
            |     sack = Sack()
            |     sack.run()
        store.py
            | class Store:
            |     def save(self, cart):
            |         write_rows(cart)
            |
            |     def close_all(self):
            |         pass
            |
            | def open_store() -> Store:
            |     return Store()
            |
            | def write_rows(cart):
            |     return cart
        prices.py
            | def price_of(cart):
            |     return 1
        events.py
            | def listen(bus):
            |     bus.on("sold", on_sold)
            |
            | def on_sold(cart):
            |     return cart
            |
            | def sell(bus):
            |     bus.emit("sold", 1)
        jobs.py
            | import threading
            |
            | def each(rows, act):
            |     for row in rows:
            |         act(row)
            |
            | def start(rows):
            |     each(rows, work)
            |
            | def work(row):
            |     return row
            |
            | def spawn():
            |     threading.Thread(target=work).start()
            |
            | def shadow(work):
            |     each([], work)
        routes.py
            | def route(path):
            |     def keep(view):
            |         return view
            |     return keep
            |
            | @route("/")
            | def index_page():
            |     return 1
        kept.py
            | class Timer:
            |     def __init__(self, act):
            |         self.act = act
            |
            |     def fire_now(self):
            |         self.act()
            |
            | def ring_bell():
            |     return 1
            |
            | def arm():
            |     return Timer(ring_bell)
        inner.py
            | def outer():
            |     def never():
            |         return 1
            |
            |     def given():
            |         return 2
            |
            |     return given
        common.py
            | class A:
            |     def get(self):
            |         return 1
            |
            | class B:
            |     def get(self):
            |         return 2
            |
            | def pick(thing):
            |     return thing.get()
    tests/
        test_cart.py
            | def around_it():
            |     Cart(None).look()
"""

GO = """
    main.go
        | package main
        |
        | type Handler interface {
        |     Serve(name string)
        | }
        |
        | type Server struct {
        |     handler Handler
        |     log *Log
        | }
        |
        | func (s *Server) Start() {
        |     s.handler.Serve("a")
        |     s.log.Print("x")
        | }
        |
        | func (l *Log) Print(line string) {
        |     flush(line)
        | }
        |
        | func flush(line string) {}
        |
        | func NewServer() *Server {
        |     return &Server{}
        | }
        |
        | func run() {
        |     server := NewServer()
        |     server.Start()
        | }
    mux.go
        | package main
        |
        | type Log struct{}
        |
        | type Mux struct{}
        |
        | func (m *Mux) Serve(name string) {
        |     m.find(name)
        | }
        |
        | func (m *Mux) find(name string) {}
        |
        | type Other struct{}
        |
        | func (o *Other) Serve(name string, more int) {}
"""

JAVA = """
    src/
        Shape.java
            | package shop;
            | interface Shape {
            |     double area();
            | }
        Circle.java
            | package shop;
            | class Circle implements Shape {
            |     private final Maths maths = new Maths();
            |     Circle(double r) {
            |         check(r);
            |     }
            |     void check(double r) {}
            |     public double area() {
            |         return maths.square(2);
            |     }
            | }
        Maths.java
            | package shop;
            | class Maths {
            |     double square(double x) { return x * x; }
            | }
        Canvas.java
            | package shop;
            | import java.util.List;
            | class Canvas {
            |     void draw(Shape shape) {
            |         shape.area();
            |     }
            |     void fill() {
            |         new Circle(1);
            |     }
            |     void all(List<Shape> shapes) {
            |         shapes.forEach(this::draw);
            |     }
            | }
"""

JAVASCRIPT = """
    lib/
        app.js
            | const View = require('./view')
            | const { render } = require('./draw')
            |
            | const app = exports = module.exports = {}
            |
            | app.handle = function handle(req) {
            |   this.route(req)
            | }
            |
            | app.route = function route(req) {
            |   render(req)
            |   later.call(this, req)
            | }
            |
            | function later(req) {
            |   const view = new View(req)
            |   view.show()
            | }
        view.js
            | function View(name) {
            |   this.name = name
            | }
            | module.exports = View
            |
            | View.prototype.show = function show() {
            |   return paint(this.name)
            | }
            |
            | function paint(name) {
            |   return name
            | }
        draw.js
            | exports.render = function render(req) {
            |   return table[req.kind]
            | }
            |
            | const table = {
            |   page: drawPage,
            | }
            |
            | function drawPage() {
            |   return 1
            | }
"""

RUST = """
    src/
        lib.rs
            | pub trait Shape {
            |     fn area(&self) -> f64;
            | }
            |
            | pub struct Circle {
            |     r: f64,
            | }
            |
            | impl Shape for Circle {
            |     fn area(&self) -> f64 {
            |         square(self.r)
            |     }
            | }
            |
            | fn square(x: f64) -> f64 {
            |     x * x
            | }
            |
            | pub fn draw(shape: &dyn Shape) -> f64 {
            |     shape.area()
            | }
"""

C = """
    src/
        loop.h
            | struct loop { int n; };
            | void loop_poll(struct loop* l, int t);
        loop.c
            | #include "loop.h"
            |
            | static void on_ready(struct loop* l) {
            |     l->n++;
            | }
            |
            | int loop_run(struct loop* l) {
            |     loop_poll(l, 0);
            |     return each_of(l, on_ready);
            | }
            |
            | int each_of(struct loop* l, void (*cb)(struct loop*)) {
            |     cb(l);
            |     return 0;
            | }
        epoll.c
            | #include "loop.h"
            |
            | void loop_poll(struct loop* l, int t) {
            |     wait_for(l);
            | }
            |
            | static void wait_for(struct loop* l) {
            | }
"""

CSHARP = """
    src/
        Shop.cs
            | namespace Shop {
            |   public interface IStore { void Save(string name); }
            |   public class FileStore : IStore {
            |     public void Save(string name) { Flush(name); }
            |     private void Flush(string name) { }
            |   }
            |   public class Cart {
            |     private readonly IStore store;
            |     public Cart(IStore store) { this.store = store; }
            |     public void Checkout() { store.Save("a"); }
            |   }
            | }
"""

RUBY = """
    lib/
        shop.rb
            | class Base
            |   def run
            |     handle_it
            |   end
            | end
            |
            | class Cart < Base
            |   def initialize(store)
            |     @store = Store.new
            |   end
            |
            |   def handle_it
            |     @store.save_all
            |   end
            | end
            |
            | class Store
            |   def save_all
            |     rows.each(&method(:save_row))
            |   end
            |
            |   def save_row(row)
            |     row
            |   end
            | end
"""

PHP = """
    src/
        Shop.php
            | <?php
            | interface Store {
            |     public function save(string $name): void;
            | }
            | class FileStore implements Store {
            |     public function save(string $name): void {
            |         $this->flush($name);
            |     }
            |     private function flush(string $name): void {
            |     }
            | }
            | class Cart {
            |     public function __construct(private Store $store) {
            |     }
            |     public function checkout(): void {
            |         $this->store->save('a');
            |     }
            | }
"""

PHP_JARS = """
    src/
        Jar.php
            | <?php
            | class Jar {
            |     public function setCookie(Cookie $cookie): bool {
            |         return $cookie->validate();
            |     }
            | }
        FileJar.php
            | <?php
            | class FileJar extends Jar {
            |     public function load(array $rows): void {
            |         foreach ($rows as $row) {
            |             $this->setCookie(new Cookie($row));
            |         }
            |     }
            | }
        Cookie.php
            | <?php
            | class Cookie {
            |     public function validate(): bool {
            |         return true;
            |     }
            | }
        Form.php
            | <?php
            | class Form {
            |     public function validate(): bool {
            |         return false;
            |     }
            | }
"""

PHP_PAIRS = """
    src/
        Multi.php
            | <?php
            | class Multi {
            |     public function __invoke(): Promise {
            |         return new Promise([$this, 'execute'], ['tell' => $this, 'cancel']);
            |     }
            |     public function execute(): void {
            |         $this->tick();
            |     }
            |     public function cancel(): void {
            |         $this->forget();
            |     }
            |     private function tick(): void {
            |     }
            |     private function forget(): void {
            |     }
            | }
"""

RACK = """
    lib/
        head.rb
            | class Head
            |   def initialize(app)
            |     @app = app
            |   end
            |
            |   def call(env)
            |     @app.call(env)
            |   end
            | end
        files.rb
            | class Files
            |   def initialize
            |     @head = Head.new(method(:get))
            |   end
            |
            |   def call(env)
            |     @head.call(env)
            |   end
            |
            |   def get(env)
            |     check_path(env)
            |   end
            |
            |   def check_path(env)
            |     env
            |   end
            | end
        tail.rb
            | class Tail
            |   def initialize(app)
            |     @app = app
            |   end
            |
            |   def call(env)
            |     @app.call(env)
            |   end
            | end
"""

TRIED = """
    src/
        report.cc
            | void format_error(int code) noexcept {
            |   SHOP_TRY {
            |     write(code);
            |     return;
            |   }
            |   SHOP_CATCH(...) {}
            |   format_code(code);
            | }
            |
            | void format_code(int code) {
            | }
"""

KEYWORDS = """
    shop/
        core.py
            | class Parameter:
            |     def __init__(self, callback=None):
            |         self.callback = callback
            |
            |     def process(self, value):
            |         return self.callback(value)
            |
            | class Option(Parameter):
            |     pass
            |
            | class Command:
            |     def __init__(self, callback=None):
            |         self.callback = callback
            |
            |     def start(self, value):
            |         return self.callback(value)
        decorators.py
            | from shop.core import Option
            |
            | def option(**kwargs):
            |     return Option(**kwargs)
            |
            | def help_option(**kwargs):
            |     def show_help(value):
            |         return value
            |
            |     kwargs.setdefault("callback", show_help)
            |     return option(**kwargs)
"""

LITERAL = """
    src/
        tokenizer.ts
            | export interface Callbacks {
            |   ontextpart(start: number): void
            |   onclose(start: number): void
            | }
            |
            | export class Tokenizer {
            |   constructor(private readonly cbs: Callbacks) {}
            |   stateText(c: number): void {
            |     this.cbs.ontextpart(c)
            |   }
            |   stateClose(c: number): void {
            |     this.cbs.onclose(c)
            |   }
            | }
        parser.ts
            | import { Tokenizer } from './tokenizer'
            |
            | const tokenizer = new Tokenizer({
            |   ontextpart(start) {
            |     createPart(start)
            |   },
            |   onclose(start) {
            |     closePart(start)
            |   },
            | })
            |
            | const other = {
            |   onclose(start) {
            |     return start
            |   },
            | }
            |
            | function createPart(start: number) {
            |   return start
            | }
            |
            | function closePart(start: number) {
            |   return start
            | }
"""

TABLE = """
    src/
        builtin.c
            | static int f_meta(int a) {
            |   return load_meta(a);
            | }
            |
            | static const struct cfunction function_list[] = {
            |   CFUNC(f_meta, "meta", 1),
            |   CFUNC(f_other, "other", 1),
            | };
            |
            | static const int sizes[] = {
            |   1,
            |   2,
            | };
            |
            | int bind_all(int a) {
            |   return gen_binding(function_list, sizes, a);
            | }
            |
            | int load_meta(int a) {
            |   return a;
            | }
            |
            | int bind_none(int a) {
            |   return gen_binding(sizes, a);
            | }
"""

VIEW = """
    lib/
        view.js
            | module.exports = View
            |
            | function View(name) {
            |   this.path = this.lookup(name)
            | }
            |
            | View.prototype.lookup = function lookup(name) {
            |   return this.resolve(name)
            | }
            |
            | View.prototype.resolve = function resolve(name) {
            |   return tryStat(name)
            | }
            |
            | function tryStat(path) {
            |   return path
            | }
            |
            | function lower(name) {
            |   return this.lookup(name)
            | }
"""

LISTED = """
    parts/
        fields.py
            | from typing import Iterator
            |
            | class FileField:
            |     def length(self):
            |         return peek_length(self)
            |
            | class DataField:
            |     def length(self):
            |         return 0
            |
            | class Other:
            |     def length(self):
            |         return peek_other(self)
            |
            | class Stream:
            |     def __init__(self, data):
            |         self.fields = list(self._iter_fields(data))
            |
            |     def _iter_fields(self, data) -> Iterator[FileField | DataField]:
            |         yield FileField()
            |
            |     def content_length(self):
            |         for field in self.fields:
            |             field.length()
            |
            |     def directly(self, data):
            |         return [field.length() for field in self._iter_fields(data)]
            |
            | class Tag:
            |     def check(self):
            |         return key_of(self)
            |
            | class Tagger:
            |     def __init__(self):
            |         self.order: list[Tag] = []
            |
            |     def tag(self):
            |         for one in self.order:
            |             one.check()
            |
            | def peek_length(field):
            |     return 1
            |
            | def peek_other(field):
            |     return 1
            |
            | def key_of(tag):
            |     return tag
"""

KOTLIN = """
    src/
        Shop.kt
            | interface Store {
            |     fun save(name: String)
            | }
            |
            | class FileStore : Store {
            |     override fun save(name: String) {
            |         flush(name)
            |     }
            |
            |     private fun flush(name: String) {
            |     }
            | }
            |
            | class Cart(private val store: Store) {
            |     fun checkout() {
            |         store.save("a")
            |     }
            | }
"""

TYPESCRIPT = """
    src/
        store.ts
            | export interface Store {
            |   save(name: string): void
            | }
            |
            | export class FileStore implements Store {
            |   save(name: string): void {
            |     flush(name)
            |   }
            | }
            |
            | function flush(name: string): void {
            |   console.log(name)
            | }
        cart.ts
            | import { Store } from './store'
            | import { EventEmitter } from 'events'
            |
            | export class Cart extends EventEmitter {
            |   constructor(private readonly store: Store) {
            |     super()
            |     this.on('sold', this.onSold)
            |   }
            |
            |   checkout(): void {
            |     this.store.save('a')
            |     this.emit('sold')
            |   }
            |
            |   onSold(): void {
            |     console.log(1)
            |   }
            | }
"""

CPP = """
    src/
        shop.hpp
            | class Store {
            |  public:
            |   virtual void save(int n);
            | };
            |
            | class FileStore : public Store {
            |  public:
            |   void save(int n) override;
            | };
        shop.cpp
            | #include "shop.hpp"
            |
            | void FileStore::save(int n) {
            |   flush_rows(n);
            | }
            |
            | static void flush_rows(int n) {
            | }
            |
            | void checkout(Store& store) {
            |   store.save(1);
            | }
"""

WEB = """
    src/
        body.ts
            | export const parseBody = async (request: Request): Promise<string> => {
            |   return readParts(request)
            | }
            |
            | function readParts(request: Request): string {
            |   return request.url
            | }
        request.ts
            | import { parseBody } from './body'
            |
            | export class WebRequest {
            |   async parseBody(): Promise<string> {
            |     return parseBody(this)
            |   }
            | }
        router.ts
            | export interface Router<T> {
            |   match(path: string): T
            | }
        smart.ts
            | import type { Router } from './router'
            |
            | export class SmartRouter<T> implements Router<T> {
            |   #routers: Router<T>[] = []
            |
            |   match(path: string): T {
            |     const routers = this.#routers
            |     for (let i = 0; i < routers.length; i++) {
            |       const router = routers[i]
            |       return router.match(path)
            |     }
            |   }
            | }
        tree.ts
            | import type { Router } from './router'
            |
            | export class TreeRouter<T> implements Router<T> {
            |   match(path: string): T {
            |     return searchTree(path)
            |   }
            | }
            |
            | export function searchTree(path: string): any {
            |   return path
            | }
        app.ts
            | import type { Router } from './router'
            | import { Effect } from './effect'
            |
            | export class App<T> {
            |   router!: Router<T>
            |
            |   fetch: (path: string) => T = (path) => {
            |     return this.#dispatch(path)
            |   }
            |
            |   #dispatch(path: string): T {
            |     return this.router.match(path)
            |   }
            |
            |   settle(all: object[]): void {
            |     for (const one of all) {
            |       ;(one as Effect).start()
            |     }
            |   }
            | }
        effect.ts
            | export class Effect {
            |   start(): void {
            |     console.log(1)
            |   }
            | }
        mount.js
            | function prepare(app) {
            |   app.on('mount', function onmount(parent) {
            |     parent.seen = true
            |     return parent
            |   })
            | }
            |
            | function use(sub) {
            |   sub.emit('mount', 1)
            | }
"""

PLUGINS = """
    rest/
        plugin.go
            | package rest
            |
            | type Factory func(name string) int
            |
            | var plugins = make(map[string]Factory)
            |
            | func RegisterPlugin(name string, plugin Factory) {
            |     plugins[name] = plugin
            | }
            |
            | func GetPlugin(name string) int {
            |     p, ok := plugins[name]
            |     if !ok {
            |         return 0
            |     }
            |     return p(name)
            | }
        config.go
            | package rest
            |
            | type Config struct {
            |     Host string
            | }
        tell.go
            | package rest
            |
            | type Listener interface {
            |     OnUpdate(name string)
            | }
            |
            | type Informer struct {
            |     told map[*Teller]bool
            | }
            |
            | type Teller struct {
            |     name string
            | }
            |
            | func Deliver(listener Listener) {
            |     listener.OnUpdate("a")
            | }
            |
            | func (i *Informer) OnUpdate(name string) {
            |     for teller, done := range i.told {
            |         teller.add(name)
            |     }
            | }
            |
            | func (t *Teller) add(name string) {
            |     t.name = name
            | }
    oidc/
        oidc.go
            | package oidc
            |
            | import restclient "example.com/shop/rest"
            |
            | func init() {
            |     restclient.RegisterPlugin("oidc", newProvider)
            | }
            |
            | func newProvider(name string) int {
            |     config := restclient.Config{Host: name}
            |     return len(config.Host)
            | }
        transport.go
            | package oidc
            |
            | type Transport struct {
            |     name string
            | }
            |
            | func (t *Transport) Config() int {
            |     return 1
            | }
"""

SINATRA = """
    lib/
        base.rb
            | module Shop
            |   class Base
            |     def call!(env)
            |       route_missing unless handled
            |       env
            |     end
            |
            |     def route_missing
            |       if @app then forward else raise end
            |     end
            |
            |     def forward
            |       @app.call
            |     end
            |
            |     def quiet
            |       forward = 1
            |       forward
            |     end
            |   end
            | end
"""

RETRY = """
    src/
        Retry.php
            | <?php
            | class Retry {
            |     private $delay;
            |     public function __construct(callable $delay = null) {
            |         $this->delay = $delay ?: __CLASS__ . '::waitLonger';
            |     }
            |     public static function waitLonger(int $tries): int {
            |         return $tries * 2;
            |     }
            |     public function again(int $tries): int {
            |         return ($this->delay)($tries);
            |     }
            | }
"""

SIGNS = {
    How.CALLS: ">",
    How.DECORATES: "@",
    How.EVENT: "!",
    How.IMPLEMENTS: "=",
    How.OVERRIDES: "^",
    How.PASSES: "&",
    How.RETURNS: "<",
    How.THROUGH: "~",
}

THERE = [
    (PYTHON, "Base.run write_rows", "Base.run > Base.handle ^ Cart.handle > Store.save > write_rows"),
    (PYTHON, "how does `Bag.handle` reach `Store.save`", "Bag.handle > Cart.handle > Store.save"),
    (PYTHON, "Cart.keep close_all", "Cart.keep > Store.close_all"),
    (PYTHON, "where is `on_sold` called from `sell`", "sell ! on_sold"),
    (PYTHON, "from `start` to `work`", "start > each ~ work"),
    (PYTHON, "spawn work", "spawn & work"),
    (PYTHON, "how does `route` reach `index_page`", "route @ index_page"),
    (PYTHON, "Timer.fire_now ring_bell", "Timer.fire_now ~ ring_bell"),
    (PYTHON, "`outer` `outer.given`", "outer < outer.given"),
    (PYTHON, "`work` `start`", "start > each ~ work"),
    (PYTHON, "Store.save Base.run write_rows", "Base.run > Base.handle ^ Cart.handle > Store.save > write_rows"),
    (PYTHON, "how does `Cart.keep` reach close_all", "Cart.keep > Store.close_all"),
    (GO, "how does `Server.Start` end up calling flush", "Server.Start > Log.Print > flush"),
    (GO, "Server.Start Mux.find", "Server.Start > Handler.Serve ^ Mux.Serve > Mux.find"),
    (GO, "how does `run` reach `flush`", "run > Server.Start > Log.Print > flush"),
    (JAVA, "Canvas.draw Maths.square", "Canvas.draw > Shape.area ^ Circle.area > Maths.square"),
    (JAVA, "Canvas.fill Circle.check", "Canvas.fill > Circle.Circle > Circle.check"),
    (JAVA, "from `Canvas.all` to `Canvas.draw`", "Canvas.all & Canvas.draw"),
    (JAVASCRIPT, "app.handle View.show", "app.handle > app.route > later > View.show"),
    (JAVASCRIPT, "app.handle `render`", "app.handle > app.route > render"),
    (RUST, "`draw` `square`", "draw > Shape.area ^ Circle.area > square"),
    (C, "loop_run wait_for", "loop_run > loop_poll > wait_for"),
    (C, "loop_run on_ready", "loop_run > each_of ~ on_ready"),
    (CSHARP, "Cart.Checkout FileStore.Flush", "Cart.Checkout > IStore.Save ^ FileStore.Save > FileStore.Flush"),
    (RUBY, "Base#run Store#save_all", "Base.run > Cart.handle_it > Store.save_all"),
    (RUBY, "Store#save_all Store#save_row", "Store.save_all & Store.save_row"),
    (PHP, "Cart::checkout FileStore::flush", "Cart.checkout > Store.save ^ FileStore.save > FileStore.flush"),
    (KOTLIN, "Cart.checkout FileStore.flush", "Cart.checkout > Store.save ^ FileStore.save > FileStore.flush"),
    (TYPESCRIPT, "Cart.checkout `flush`", "Cart.checkout > FileStore.save > flush"),
    (TYPESCRIPT, "Cart.checkout Cart.onSold", "Cart.checkout ! Cart.onSold"),
    (WEB, "how does `WebRequest.parseBody` reach `readParts`", "WebRequest.parseBody > parseBody > readParts"),
    (
        WEB,
        "how does `App.fetch` reach `searchTree` through `SmartRouter.match`",
        "App.fetch > App.#dispatch = SmartRouter.match = TreeRouter.match > searchTree",
    ),
    (WEB, "`App.settle` `Effect.start`", "App.settle > Effect.start"),
    (WEB, "how does `use` get to `onmount`", "use ! prepare.onmount"),
    (PLUGINS, "how does `GetPlugin` get to `newProvider`", "GetPlugin ~ newProvider"),
    (PLUGINS, "how does `newProvider` get to `rest.Config`", "newProvider > Config"),
    (
        PLUGINS,
        "how does `Deliver` get through `OnUpdate` to `Teller.add`",
        "Deliver > Listener.OnUpdate ^ Informer.OnUpdate > Teller.add",
    ),
    (SINATRA, "from `Base#call!` to `forward`", "Shop.Base.call! > Shop.Base.route_missing > Shop.Base.forward"),
    (RETRY, "how does `Retry::again` get to `waitLonger`", "Retry.again ~ Retry.waitLonger"),
    (PHP_JARS, "FileJar.load Cookie.validate", "FileJar.load > Jar.setCookie > Cookie.validate"),
    (PHP_PAIRS, "Multi.__invoke Multi.tick", "Multi.__invoke & Multi.execute > Multi.tick"),
    (RACK, "Files.call check_path", "Files.call > Head.call ~ Files.get > Files.check_path"),
    (TRIED, "format_error format_code", "format_error > format_code"),
    (KEYWORDS, "Option.process show_help", "Parameter.process ~ help_option.show_help"),
    (LITERAL, "Tokenizer.stateText createPart", "Tokenizer.stateText = tokenizer.ontextpart > createPart"),
    (TABLE, "bind_all load_meta", "bind_all & function_list & f_meta > load_meta"),
    (VIEW, "how does `View` reach `tryStat`", "View > View.lookup > View.resolve > tryStat"),
    (LISTED, "Stream.content_length peek_length", "Stream.content_length > FileField.length > peek_length"),
    (LISTED, "Stream.directly peek_length", "Stream.directly > FileField.length > peek_length"),
    (LISTED, "Tagger.tag key_of", "Tagger.tag > Tag.check > key_of"),
    (CPP, "`checkout` flush_rows", "checkout > Store.save ^ FileStore.save > flush_rows"),
]  # fmt: skip

NOT_THERE = [
    pytest.param(PYTHON, "`pick` A.get", id="a common name on a variable of unknown type"),
    pytest.param(PYTHON, "Cart.look shop.prices.price_of", id="a name that is imported from elsewhere"),
    pytest.param(PYTHON, "how does `work` reach `start`", id="a sentence is not turned around"),
    pytest.param(PYTHON, "`shadow` `work`", id="a parameter that has a function's name"),
    pytest.param(PYTHON, "how does `outer` reach `outer.never`", id="a function defined inside, which nothing calls"),
    pytest.param(PYTHON, "how does `Box.handle` reach `Store.save`", id="what overrides what is called above"),
    pytest.param(
        PYTHON, "how does `Box.start` reach `Cart.handle`", id="what overrides it in another type than its own"
    ),
    pytest.param(
        PYTHON, "how does `fill` reach `Cart.handle`", id="what overrides it in another type than the variable's"
    ),
    pytest.param(PYTHON, "sell index_page", id="nothing to do with each other"),
    pytest.param(PYTHON, "write_rows", id="a single name"),
    pytest.param(PYTHON, "how is `Cart` built", id="a type alone"),
    pytest.param(GO, "Server.Start Other.Serve", id="a method of the same name with other parameters"),
    pytest.param(PLUGINS, "how does `newProvider` get to `Transport.Config`", id="a type of an imported package"),
    pytest.param(SINATRA, "how does `quiet` get to `forward`", id="a variable that has a method's name"),
    pytest.param(WEB, "how does `parseBody` get to `WebRequest.parseBody`", id="a function of a method's name"),
    pytest.param(PHP_JARS, "FileJar.load Form.validate", id="a member of another type than the parameter's"),
    pytest.param(PHP_PAIRS, "Multi.__invoke Multi.forget", id="a name in a list that is no pair of object and method"),
    pytest.param(RACK, "Tail.call check_path", id="what a field of this name is given in another type"),
    pytest.param(KEYWORDS, "Command.start show_help", id="a keyword of what is named for another type"),
    pytest.param(LITERAL, "Tokenizer.stateClose closePart", id="a name that two objects have"),
    pytest.param(TABLE, "bind_none load_meta", id="a table that lists no functions"),
    pytest.param(VIEW, "`lower` tryStat", id="the object of a function that makes none"),
    pytest.param(LISTED, "Stream.content_length peek_other", id="a member of another type than the values'"),
    pytest.param(GO, "Mux.find Log.Print", id="unrelated methods"),
]


def traced(files: str, question: str) -> Traced:
    corpus, asked = MemoryCorpus(tree(files)), read_question(question)
    return trace(asked.text, asked.symbols, Graph(corpus), corpus)


def shown(found: Traced) -> list[str]:
    return [
        path.start.qualified + "".join(f" {SIGNS[step.how]} {step.to.qualified}" for step in path.steps)
        for path in found.paths
    ]


@pytest.mark.parametrize(("files", "question", "path"), THERE, ids=[question for _, question, _ in THERE])
def test_a_path_is_found(files: str, question: str, path: str) -> None:
    assert shown(traced(files, question)) == [path]


@pytest.mark.parametrize(("files", "question"), NOT_THERE)
def test_no_path_is_made_up(files: str, question: str) -> None:
    assert shown(traced(files, question)) == []


def test_evidence_that_the_file_no_longer_shows_is_none() -> None:
    corpus, asked = MemoryCorpus(tree(PYTHON)), read_question("Cart.handle Store.save")
    corpus.edit("shop/cart.py", corpus.disk["shop/cart.py"].replace(b"self.store.save(self)", b"pass"))
    assert trace(asked.text, asked.symbols, Graph(corpus), corpus).paths == ()
