"""What each language gives: symbols with their spans, and the names that they use."""

from __future__ import annotations

from textwrap import dedent
from typing import Final

import pytest

from explore.index.languages import LANGUAGES, language_of, refine
from explore.index.languages.c import C
from explore.index.languages.declaration import Language
from explore.index.languages.preprocessor import flatten
from explore.index.parse import Parsed, parse
from explore.model.source import EdgeKind, Kind
from explore.model.text import split_lines

WHOLE: Final = (
    pytest.param(
        ".py",
        """
            import os.path
            from collections import abc as a, deque
            from . import sibling
            from typing import *

            LIMIT = 3
            TABLE = {
                "a": 1,
            }
            type Pair = tuple[int, int]


            @register("outer")
            @plain
            class Outer(Base, mixins.Mixin, Generic[T], metaclass=Meta):
                '''Doc.'''

                small: int = 1
                large = [
                    1,
                ]

                # About the method.
                @property
                async def method(self, first,
                                 second=None):
                    def inner():
                        return deque()

                    local = {
                        "a": 1,
                    }
                    return self.other(inner)

                class Nested:
                    def deep(self): ...


            def function() -> None:
                os.path.join("a")
        """,
        """
            constant TABLE 7-9
            type Pair 10
            class Outer 13-36
            field Outer.large 19-21
            method Outer.method 23-33
            function Outer.method.inner 27-28
            class Outer.Nested 35-36
            method Outer.Nested.deep 36
            function function 39-40
            imports os.path @1
            imports collections:abc @2
            imports collections:deque @2
            imports .:sibling @3
            imports typing @4
            calls register @13
            decorates register @13
            decorates plain @14
            inherits Base @15
            inherits Generic @15
            inherits Mixin @15
            decorates property @24
            calls deque @28
            calls other @33
            calls join @40
        """,
        id="python",
    ),
    pytest.param(
        ".js",
        """
            import main, { first, second as other } from "./module.js";
            import * as all from "all";
            export { again } from "./again.js";
            const path = require("path");
            const lazy = import("./lazy.js");

            /** Adds. */
            export function add(a, b) {
              const little = () => a;
              const big = () => {
                return b;
              };
              const config = {
                local: true,
              };
              return sum(little, big);
            }

            export const short = (x) => x;

            const table = {
              one: 1,
              handler(event) {
                return event;
              },
              tiny: () => 1,
            };

            class Widget extends Base {
              static { setup(); }
              #secret() { return this.#secret(); }
              field = 1;
              bound = () => new Widget();
              get size() { return 0; }
            }

            Widget.prototype.draw = function () {};
            exports.helper = function (a) { return a; };
            module.exports = function entry() {};
            module.exports.options = {
              depth: 1,
            };

            describe("callbacks", () => {
              it("gives no symbols", () => {});
            });
            export default () => add(1, 2);
        """,
        """
            function add 7-17
            function add.big 10-12
            function short 19
            constant table 21-27
            method table.handler 23-25
            class Widget 29-35
            method Widget.#secret 31
            method Widget.bound 33
            method Widget.size 34
            function Widget.draw 37
            function helper 38
            function entry 39
            constant options 40-42
            function default 47
            imports ./module.js @1
            imports ./module.js:first @1
            imports ./module.js:main @1
            imports ./module.js:second @1
            imports all @2
            imports all:all @2
            imports ./again.js @3
            imports ./again.js:again @3
            imports path @4
            imports path:path @4
            imports ./lazy.js @5
            calls sum @16
            inherits Base @29
            calls setup @30
            calls #secret @31
            calls Widget @33
            calls describe @44
            calls it @45
            calls add @47
        """,
        id="javascript",
    ),
    pytest.param(
        ".jsx",
        """
            export const Card = ({ title }) => (
              <Box>
                <Title text={title} />
              </Box>
            );
        """,
        """
            function Card 1-5
            calls Box @2
            calls Title @3
        """,
        id="jsx",
    ),
    pytest.param(
        ".ts",
        """
            import type { Shape } from "./shape";
            import fs = require("fs");

            export type Id = string | number;

            export interface Store<T> extends Reader<T>, ns.Writer {
              get(key: string): T;
            }

            export enum Color { Red, Green }

            declare module "external" {
              export function load(path: string): void;
            }

            namespace Inner.Space {
              export function run() {}
            }

            /** Overloaded. */
            export function parse(text: string): Shape;
            export function parse(text: Buffer): Shape;
            export function parse(text: any): Shape {
              type Local = string;
              return read(text);
            }

            @Component({ selector: "x" })
            export abstract class Model<T> extends Base<T> implements Store<T>, ns.Other {
              private readonly items: T[] = [];
              constructor(private readonly store: Store<T>) { super(); }
              find(id: Id): T;
              find(id: any) { return this.store.get(id); }
              /** Saves. */
              @Log()
              save(): void {}
              abstract size(): number;
              handler = async (event: Event): Promise<void> => {
                await this.save();
              };
            }

            interface Handler {
              <A extends Id>(first: A): Promise<A>
              <A extends Id, B>(first: A, second: B): Promise<B>
            }

            export default class extends Model<string> {}
        """,
        """
            type Id 4
            interface Store 6-8
            enum Color 10
            module external 12-14
            function external.load 13
            module Inner.Space 16-18
            function Inner.Space.run 17
            function parse 20-21
            function parse 22
            function parse 23-26
            class Model 28-41
            method Model.constructor 31
            method Model.find 32
            method Model.find 33
            method Model.save 34-36
            method Model.size 37
            method Model.handler 38-40
            interface Handler 43-46
            class default 48
            imports ./shape @1
            imports ./shape:Shape @1
            imports fs @2
            inherits Reader @6
            inherits Writer @6
            calls read @25
            calls Component @28
            decorates Component @28
            inherits Base @29
            inherits Other @29
            inherits Store @29
            calls get @33
            calls Log @35
            decorates Log @35
            calls save @39
            inherits Model @48
        """,
        id="typescript",
    ),
    pytest.param(
        ".tsx",
        """
            export function Page({ id }: Props) {
              return <Layout><Card id={id} /></Layout>;
            }

            const Lazy: React.FC<Props> = memo(() => {
              return <Page />;
            });
        """,
        """
            function Page 1-3
            constant Lazy 5-7
            calls Card @2
            calls Layout @2
            calls memo @5
            calls Page @6
        """,
        id="tsx",
    ),
    pytest.param(
        ".go",
        """
            package store

            import (
                "fmt"
                alias "example.com/mod/log"
            )

            const Single = 1

            const (
                First = iota
                Second
            )

            // Handler handles.
            var Handler = func(x int) error {
                return alias.Print(x)
            }

            var table = map[string]int{
                "a": 1,
            }

            type (
                // Store stores.
                Store struct {
                    *Base
                    log.Logger
                    name string
                }

                Reader interface {
                    fmt.Stringer
                    Read(key string) ([]byte, error)
                }
            )

            type Key = string

            type List[T any] []T

            // Get gets.
            //
            // More words.
            func (s *Store) Get(key Key) *Item {
                local := map[string]int{
                    "a": 1,
                }
                return &Item{fetch(key), local}
            }

            func (l List[T]) Len() int { return len(l) }

            func Map[T, U any](in []T, f func(T) U) []U {
                return convert[U](in)
            }
        """,
        """
            function Handler 15-18
            variable table 20-22
            struct Store 25-30
            interface Reader 32-35
            method Reader.Read 34
            type Key 38
            type List 40
            method Store.Get 42-50
            method List.Len 52
            function Map 54-56
            imports fmt @4
            imports example.com/mod/log:alias @5
            calls Print @17
            inherits Base @27
            inherits Logger @28
            inherits Stringer @33
            calls Item @49
            calls fetch @49
            calls len @52
            calls convert @55
        """,
        id="go",
    ),
    pytest.param(
        ".rs",
        """
            //! Crate documentation.
            use std::fmt;
            use crate::model::{self, Span, Symbol as Named, inner::{Deep, Other as Alias}};
            use super::parse::*;
            mod sibling;

            /// A pair.
            #[derive(Debug, Clone)]
            pub struct Pair<T> {
                left: T,
            }

            pub enum Kind { A, B(u8) }

            pub trait Shape: fmt::Debug + Sized {
                const SIDES: usize;
                fn area(&self) -> f64;
                fn describe(&self) -> String {
                    format!("{}", render(self))
                }
            }

            impl<T> Pair<T>
            where
                T: Clone,
            {
                /// Makes one.
                #[inline]
                pub fn new(left: T) -> Self {
                    fn helper() {}
                    Pair { left }
                }
            }

            impl<'a, T> fmt::Display for &'a crate::Pair<T> {
                fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                    self.left.fmt(f)?;
                    Self::new::<u8>();
                    Ok(())
                }
            }

            macro_rules! pairs {
                () => {
                };
            }

            const TABLE: [u8; 2] = [
                1, 2,
            ];

            mod inner {
                pub async unsafe fn run() {}

                impl dyn Shape {
                    fn dynamic(&self) {}
                }
            }

            extern "C" {
                fn external(a: i32) -> i32;
            }
        """,
        """
            struct Pair 7-11
            enum Kind 13
            trait Shape 15-21
            method Shape.area 17
            method Shape.describe 18-20
            method Pair.new 27-32
            function Pair.new.helper 30
            method Pair.fmt 36-40
            macro pairs 43-46
            constant TABLE 48-50
            module inner 52-58
            function inner.run 53
            method inner.Shape.dynamic 56
            function external 61
            imports std:fmt @2
            imports crate::model @3
            imports crate::model::inner:Deep @3
            imports crate::model::inner:Other @3
            imports crate::model:Span @3
            imports crate::model:Symbol @3
            imports super::parse @4
            imports sibling @5
            inherits Debug @15
            inherits Sized @15
            calls format @19
            calls render @19
            calls Pair @31
            inherits Display @35
            calls fmt @37
            calls new @38
            calls Ok @39
        """,
        id="rust",
    ),
    pytest.param(
        ".java",
        """
            /*
             * Licence.
             */
            package com.example;

            import java.util.List;
            import java.util.concurrent.*;
            import static com.example.Util.check;

            /** A box. */
            @Deprecated
            public final class Box<T> extends Base<T> implements Comparable<Box<T>>, api.Sized {
                private static final int LIMIT = 1, OTHER = 2;

                static final Visitor VISITOR = new Visitor() {
                    @Override
                    public void visit(Node node) {
                        node.accept(this);
                    }
                };

                public Box(T value) {
                    super(value);
                }

                /**
                 * Opens it.
                 */
                @Override
                public <R> R open(Function<T, R> function)
                        throws IOException {
                    return function.apply(new Key<T>(check(value)));
                }

                enum Mode implements Named {
                    ON {
                        @Override
                        String label() { return "on"; }
                    },
                    OFF;

                    abstract String label();
                }

                interface Listener extends EventListener {
                    void changed(Box<?> box);
                }

                record Point(int x, int y) {
                    Point {
                        check(x);
                    }
                }

                @interface Marker {
                    int value() default 1;
                }
            }
        """,
        """
            class Box 10-58
            field Box.VISITOR 15-20
            method Box.VISITOR.visit 16-19
            method Box.Box 22-24
            method Box.open 26-33
            enum Box.Mode 35-43
            constant Box.Mode.ON 36-39
            method Box.Mode.ON.label 37-38
            method Box.Mode.label 42
            interface Box.Listener 45-47
            method Box.Listener.changed 46
            class Box.Point 49-53
            method Box.Point.Point 50-52
            interface Box.Marker 55-57
            imports java.util:List @6
            imports java.util.concurrent @7
            imports com.example.Util:check @8
            inherits Base @12
            inherits Comparable @12
            inherits Sized @12
            calls Visitor @15
            inherits Visitor @15
            calls accept @18
            calls Key @32
            calls apply @32
            calls check @32
            inherits Named @35
            inherits EventListener @45
            calls check @51
        """,
        id="java",
    ),
    pytest.param(
        ".c",
        """
            /* Licence of the file. */

            #include <stdio.h>
            #include "local.h"

            #define LIMIT 10
            #define MAX(a, b) ((a) > (b) ? (a) : (b))
            #define SWAP(a, b) do { \\
              int c = a; /* first */ \\
              a = b; b = c; \\
            } while (0)

            typedef struct node {
              struct node *next;
            } node_t;

            struct list { node_t *head; };

            typedef enum { RED, GREEN } color_t;

            typedef int (*compare_fn)(const void *, const void *);

            enum {
              ONE,
              TWO
            };

            static const char *const names[] = {
              "one",
              "two",
            };

            API_EXPORT int declared(int a,
                                    int b);

            /* About find. */
            static inline node_t *find(struct list *l, int n)
            {
              int prototype(int);
              static const int local[] = {
                1,
                2,
              };
              return l->head->get(first(n));
            }

            static NORETURN void die(const char *message) { exit(1); }

            int old(a, b)
              int a;
              char *b;
            {
              return a;
            }

            TEST(macro_named) {
              check();
            }

            #ifdef WIN32
            int branch(int a) {
            #else
            int branch(long a) {
            #endif
              return MAX(a, 1);
            }

            #if defined(A) /* continues
                              here */
            int last(void) { return 1; }
            #endif
        """,
        """
            macro MAX 7
            macro SWAP 8-11
            struct node_t 13-15
            struct list 17
            enum color_t 19
            type compare_fn 21
            constant ONE 23-26
            variable names 28-31
            function declared 33-34
            function find 36-45
            function die 47
            function old 49-54
            function macro_named 56-58
            function branch 61-66
            function last 70
            imports stdio.h @3
            imports local.h @4
            calls first @44
            calls get @44
            calls exit @47
            calls check @57
            calls MAX @65
        """,
        id="c",
    ),
    pytest.param(
        ".cpp",
        """
            #include <vector>
            #include "box.hpp"

            LIB_BEGIN_NAMESPACE
            namespace lib::detail {

            using Name = std::string;

            /// A box.
            template <typename T>
            class LIB_API Box : public Base<T>, private ns::Mixin {
             public:
              Box() : value_(0) {}
              explicit Box(int value);
              virtual ~Box() = default;
              T* pointer() { return &value_; }
              const T& get() const { return value_; }
              operator bool() const { return true; }
              bool operator==(const Box& other) const;
              template <typename U> auto map(U u) -> U { return u; }
              struct Inner {
                void run() {}
              };
              enum class Mode : int { On, Off };
              friend void swap(Box& a, Box& b) {}
             private:
              T value_;
            };

            template <>
            struct Box<int> {};

            }  // namespace lib::detail
            LIB_END_NAMESPACE

            template <typename T>
            Box<T>::Box(int value) : value_(value) {}

            lib::Box<int>::Inner& lib::Box<int>::inner() {
              std::lock_guard<std::mutex> lock(mutex_);
              Widget widget(argument);
              helper<int>(1);
              ns::call();
              return *new Inner();
            }

            bool Outer::operator()(int a) const { return this->test(a); }

            Outer::operator int() const { return 1; }

            template <typename T>
            concept Sized = requires(T t) { t.size(); };

            extern "C" int plain(void) { return 0; }

            TEST(BoxTest, Opens) {
              EXPECT_TRUE(open());
            }
        """,
        """
            type Name 7
            class Box 9-28
            method Box.Box 13
            method Box.Box 14
            method Box.~Box 15
            method Box.pointer 16
            method Box.get 17
            method Box.operator bool 18
            method Box.operator== 19
            method Box.map 20
            struct Box.Inner 21-23
            method Box.Inner.run 22
            enum Box.Mode 24
            method Box.swap 25
            struct Box 30-31
            function Box.Box 36-37
            function lib.Box.inner 39-45
            function Outer.operator() 47
            function Outer.operator int 49
            type Sized 51-52
            function plain 54
            function BoxTest.Opens 56-58
            imports vector @1
            imports box.hpp @2
            inherits Base @11
            inherits Mixin @11
            calls helper @42
            calls call @43
            calls Inner @44
            calls test @47
            calls size @52
            calls EXPECT_TRUE @57
            calls open @57
        """,
        id="cpp",
    ),
    pytest.param(
        ".cs",
        """
            using System;
            using static System.Math;
            using Alias = System.Collections.Generic;

            namespace Example.Boxes
            {
                /// <summary>A box.</summary>
                [Serializable]
                public partial class Box<T> : Base<T>, IDisposable where T : class
                {
                    private int a = 1, b;
                    private readonly Dictionary<string, int> table = new()
                    {
                        ["a"] = 1,
                    };

                    public int Size { get; set; }

                    public int Area
                    {
                        get { return Compute(); }
                    }

                    public T this[int index] => items[index];

                    public event EventHandler Changed;

                    public Box(int size) : base(size) { }

                    ~Box() { }

                    /// Opens it.
                    [Obsolete]
                    public async Task<R> Open<R>(Func<T, R> function)
                    {
                        int Local(int x) => x;
                        return function?.Invoke<R>(new Key<T>(Local(1)));
                    }

                    void IDisposable.Dispose() { }

                    public static Box<T> operator +(Box<T> a, Box<T> b) => a;

                    public static implicit operator int(Box<T> box) => 1;
            #if NET6
                    public void Newer()
            #else
                    public void Older()
            #endif
                    {
                    }
                }

                public interface IShape : IDisposable { double Area(); }
                public enum Color { Red, Green }
                public struct Point { }
                public record Person(string Name) : Entity(Name);
                public delegate void Handler(int code);
            }
        """,
        """
            class Box 7-52
            field Box.table 12-15
            field Box.Area 19-22
            method Box.this 24
            method Box.Box 28
            method Box.~Box 30
            method Box.Open 32-38
            function Box.Open.Local 36
            method Box.Dispose 40
            method Box.operator + 42
            method Box.operator int 44
            method Box.Newer 46-51
            interface IShape 54
            method IShape.Area 54
            enum Color 55
            struct Point 56
            class Person 57
            type Handler 58
            imports System @1
            imports System.Math @2
            imports System.Collections.Generic @3
            inherits Base @9
            inherits IDisposable @9
            calls Compute @21
            calls Invoke @37
            calls Key @37
            calls Local @37
            inherits IDisposable @54
            inherits Entity @57
        """,
        id="csharp",
    ),
    pytest.param(
        ".rb",
        """
            # frozen_string_literal: true

            require "json"
            require_relative "lib/helper"
            autoload :Later, "later"

            module Outer
              # About the class.
              class Box < Base::Parent
                include Comparable
                extend Forwardable, Other::Mixin

                TABLE = {
                  a: 1
                }.freeze

                Point = Struct.new(:x, :y) do
                  def sum; x + y; end
                end

                attr_reader :name

                def initialize(name)
                  @name = name
                  validate!
                  reset
                  super
                end

                def ==(other)
                  other.is_a?(Box)
                end

                def name=(value) = @name = value

                private def hidden; end

                def self.build(*args)
                  new(*args)
                  Key.new(1)
                end

                class << self
                  def open(path); end
                end

                define_method(:dynamic) do |x|
                  x
                end
              end

              def self.configure
                yield self
              end

              class Inner::Deep; end
            end

            def helper
              Outer.configure
            end
        """,
        """
            module Outer 7-57
            class Outer.Box 8-50
            constant Outer.Box.TABLE 13-15
            class Outer.Box.Point 17-19
            method Outer.Box.Point.sum 18
            method Outer.Box.initialize 23-28
            method Outer.Box.== 30-32
            method Outer.Box.name= 34
            method Outer.Box.hidden 36
            method Outer.Box.build 38-41
            method Outer.Box.open 44
            method Outer.Box.dynamic 47-49
            method Outer.configure 52-54
            class Outer.Inner.Deep 56
            function helper 59-61
            imports json @3
            imports lib/helper @4
            imports later:Later @5
            inherits Parent @9
            inherits Comparable @10
            inherits Forwardable @11
            inherits Mixin @11
            calls freeze @15
            calls Struct @17
            calls validate! @25
            calls reset @26
            calls is_a? @31
            calls Key @40
            calls define_method @47
            calls configure @60
        """,
        id="ruby",
    ),
    pytest.param(
        ".php",
        """
            <?php
            declare(strict_types=1);

            namespace App\\Boxes;

            use App\\Base;
            use App\\Contracts\\{Sized, Named as Labelled};
            use function App\\helper;

            require_once __DIR__ . '/bootstrap.php';

            const LIMIT = 1;

            /**
             * A box.
             */
            #[Entity]
            final class Box extends Base implements Sized, \\Countable
            {
                use Comparable, Loggable;

                const A = 1, B = 2;
                private array $table = [
                    'a' => 1,
                ];

                public function __construct(private int $size)
                {
                    parent::__construct();
                }

                /** Opens it. */
                #[Pure]
                public static function open(?string $path): ?self
                {
                    return new static(helper($path)) ?: $path?->read() ?? Key::make(new \\App\\Key());
                }

                abstract protected function area(): float;
            }

            interface Shape extends Sized, Named {}

            trait Loggable
            {
                public function log(): void {}
            }

            enum Suit: string implements HasLabel
            {
                case Hearts = 'H';
                public function label(): string { return ucfirst($this->value); }
            }

            function top(array $items) {
                return array_map(fn ($x) => $x, $items);
            }

            $handler = function ($x) { return top($x); };
        """,
        """
            class Box 14-40
            field Box.table 23-25
            method Box.__construct 27-30
            method Box.open 32-37
            method Box.area 39
            interface Shape 42
            trait Loggable 44-47
            method Loggable.log 46
            enum Suit 49-53
            method Suit.label 52
            function top 55-57
            function handler 59
            imports App:Base @6
            imports App\\Contracts:Named @7
            imports App\\Contracts:Sized @7
            imports App:helper @8
            imports /bootstrap.php @10
            inherits Base @18
            inherits Countable @18
            inherits Sized @18
            inherits Comparable @20
            inherits Loggable @20
            calls __construct @29
            calls Key @36
            calls helper @36
            calls make @36
            calls read @36
            inherits Named @42
            inherits Sized @42
            inherits HasLabel @49
            calls ucfirst @52
            calls array_map @56
            calls top @59
        """,
        id="php",
    ),
    pytest.param(
        ".kt",
        """
            @file:JvmName("Boxes")
            package com.example

            import com.example.base.Base
            import com.example.util.helper as assist
            import com.example.all.*

            /** A box. */
            @Serializable
            public open class Box<T>(val value: T, size: Int) : Base<T>(size), Sized, Named by delegate {
                private val small = 1

                var area: Int
                    get() = compute()
                    set(value) {
                        field = value
                    }

                constructor(size: Int) : this(null, size) {
                    init()
                }

                /** Opens it. */
                @Throws(IOException::class)
                override suspend fun <R> open(
                    transform: (T) -> R,
                ): R {
                    val local = mapOf(
                        "a" to 1,
                    )
                    fun inner() = Unit
                    return value?.let { Key(it) }
                }

                companion object {
                    fun create(): Box<Int> = Box(1)
                }

                companion object Named {
                    fun named() {}
                }

                enum class Mode(val id: Int) : Labelled {
                    ON(1) {
                        override fun label() = "on"
                    },
                    OFF(2);

                    abstract fun label(): String
                }
            }

            object Registry : Base<Int>(1) {
                fun register() {}
            }

            sealed interface Shape : Sized {
                fun draw()
            }

            typealias Handler = (Int) -> Unit

            fun <T> List<Box<T>>.first(): T? = get(0)

            fun com.example.Box<*>?.isEmpty(): Boolean {
                return this == null
            }

            val String.shout: String
                get() =
                    uppercase()

            context(scope: Scope)
            fun contextual() {
                val model = mapOf("a" to 1)

                get("/") { }
            }
        """,
        """
            class Box 8-51
            field Box.area 13-17
            method Box.constructor 19-21
            method Box.open 23-33
            function Box.open.inner 31
            method Box.create 36
            class Box.Named 39-41
            method Box.Named.named 40
            enum Box.Mode 43-50
            constant Box.Mode.ON 44-46
            method Box.Mode.ON.label 45
            method Box.Mode.label 49
            class Registry 53-55
            method Registry.register 54
            interface Shape 57-59
            method Shape.draw 58
            type Handler 61
            function List.first 63
            function Box.isEmpty 65-67
            variable String.shout 69-71
            function contextual 74-78
            imports com.example.base:Base @4
            imports com.example.util:helper @5
            imports com.example.all @6
            inherits Base @10
            inherits Named @10
            inherits Sized @10
            calls compute @14
            calls init @20
            calls mapOf @28
            calls to @29
            calls Key @32
            calls let @32
            calls Box @36
            inherits Labelled @43
            inherits Base @53
            inherits Sized @57
            calls get @63
            calls uppercase @71
            calls mapOf @75
            calls to @75
            calls get @77
        """,
        id="kotlin",
    ),
)
"""A source of each language with all that is asked of it, and what it gives."""

DETAILS: Final = (
    pytest.param(
        ".js",
        """
            // Licence of all of it.

            // About a.
            // More about a.
            function a() {}
            const x = 1; // about x
            function b() {}

            /** About c. */

            function c() {}

            // Not about d.

            function d() {}
        """,
        """
            function a 3-5
            function b 7
            function c 9-11
            function d 15
        """,
        id="comments above",
    ),
    pytest.param(
        ".c",
        """
            /* Licence. */

            int a(void);

            int b(void); /* about b */
            int c(void);
            int f() { return 1; } /* about f */
            /* about g */ int g() { return 1; }
        """,
        """
            function a 3
            function b 5
            function c 6
            function f 7
            function g 8
        """,
        id="licence and trailing comments",
    ),
    pytest.param(
        ".java",
        """
            /* Licence. */

            class A {
                // first
                void a() {}
                /** Second. */

                void b() {}
            }
        """,
        """
            class A 3-9
            method A.a 4-5
            method A.b 6-8
        """,
        id="licence above a class",
    ),
    pytest.param(
        ".rs",
        """
            //! Of the file.

            #[cfg(a)]
            // between
            #[test]
            fn a() {}
            #[derive(Debug)] struct B;
            fn c() {}
        """,
        """
            function a 3-6
            struct B 7
            function c 8
        """,
        id="attributes above",
    ),
    pytest.param(
        ".py",
        """
            # About f.
            @one
            @two(
                1,
            )
            def f(): ...
            def g(): ...
        """,
        """
            function f 1-6
            function g 7
            decorates one @2
            calls two @3
            decorates two @3
        """,
        id="comments and decorators",
    ),
    pytest.param(
        ".ts",
        """
            class A {
              /** Doc. */
              @dec
              @dec2()
              a() {}
              b = 1;
              c() {}
            }
        """,
        """
            class A 1-8
            method A.a 2-5
            method A.c 7
            decorates dec @3
            calls dec2 @4
            decorates dec2 @4
        """,
        id="decorated members",
    ),
    pytest.param(
        ".js",
        """
            function outer() {
              class Inner {
                method() {
                  function deep() {
                    call();
                  }
                }
              }
            }
        """,
        """
            function outer 1-9
            class outer.Inner 2-8
            method outer.Inner.method 3-7
            function outer.Inner.method.deep 4-6
            calls call @5
        """,
        id="nested",
    ),
    pytest.param(
        ".go",
        """
            package p

            // All kinds.
            const (
            \t// About a.
            \ta = `
            `
            \tb, c = 1, 2
            \td = `

            `
            )

            // About e.
            var e = []int{
            \t1,
            }
        """,
        """
            constant d 9-11
            variable e 14-17
        """,
        id="groups",
    ),
    pytest.param(
        ".java",
        """
            class A {
                int a = 1,
                    b = 2;
                Runnable small = () -> {};
                Runnable large = () -> {
                    run();
                };
            }
        """,
        """
            class A 1-8
            field A.large 5-7
            calls run @6
        """,
        id="fields of some lines",
    ),
    pytest.param(
        ".cpp",
        """
            void f() {
              std::lock_guard<std::mutex> lock(mutex);
              Widget widget(other);
              using Local = int;
              struct Kept { int a; };
            }
            Widget g(other);
        """,
        """
            function f 1-6
            struct f.Kept 5
            function g 7
        """,
        id="no locals",
    ),
    pytest.param(
        ".cc",
        """
            #define LOOP(a) \\
              do { /* once */ \\
              } while (a)

            EXPORT_ALL
            // Between.
            BEGIN_PARTS(a, (b))
            class LIB_API Part : Base {
              Q_OBJECT
              LIB_INLINE explicit Part(int a) LIB_NOEXCEPT(a) : a_(a) {}
              LIB_INLINE Part(const S& s) : str(s) {}
              LIB_INLINE ~Part() = default;
              template <typename T> LIB_INLINE auto run(T t) -> T { return t; }
            };
            END_PARTS  // done
            struct After {};
            int Part::f() const LIB_LOCKS(a) LIB_B
            {
            }
            LIB_EXPORT ns::Type<int> g(int a) { return 1; }
            #define CALL(x) f(/* a */ x, \\
              /* b */ x); \\
              g(x)
            #define REQUEST(x) \\
              SET_STATUS((x))
        """,
        """
            macro LOOP 1-3
            class Part 8-14
            method Part.Part 10
            method Part.Part 11
            method Part.~Part 12
            method Part.run 13
            struct After 16
            function Part.f 17-19
            function g 20
            macro CALL 21-23
            macro REQUEST 24-25
            inherits Base @8
        """,
        id="unknown macros",
    ),
    pytest.param(
        ".c",
        """
            #ifdef __cplusplus
            extern "C" {
            #endif
            #if A
            int one(int a)
            #elif B
            int two(int a)
            #endif
            {
              if (a
            #ifdef C
                  && a > 1
            #endif
              ) {
                return 1;
              }
              return 0;
            }
            #ifdef D
            int three(void) { return 3; }
            #else
            int four(void) { return 4; }
            #endif
            #ifdef __cplusplus
            }
            #endif
        """,
        """
            function one 5-18
            function three 20
            function four 22
        """,
        id="conditional directives",
    ),
    pytest.param(
        ".kt",
        """
            class A
            internal actual constructor(actual val a: Int) {
                val text = $$"${a}"
                var state: @Ann(X::class) Int = 1
                    @Internal set(value) {
                        field = value
                    }

                fun `does a thing`() {
                    val a = one()

                    get { two() }
                }
                fun after() {}
            }
        """,
        """
            class A 1-15
            field A.state 4-7
            method A.does a thing 9-13
            method A.after 14
            calls one @10
            calls get @12
            calls two @12
        """,
        id="what the grammar does not know",
    ),
    pytest.param(
        ".ts",
        """
            interface A {
              /** One. */
              <T>(a: T): Promise<T>
              // Two.
              <T extends B, C>(
                a: T
              ): C

              <
                D
              >(a: D): D
            }
            function after() {}
        """,
        """
            interface A 1-12
            function after 13
        """,
        id="call signatures",
    ),
    pytest.param(
        ".rb",
        """
            class Outer::Inner < Struct.new(:a)
              def Outer.made; end
              def self.own; end
              class << self
                def opened; end
              end
              module Deep
                private

                def hidden; end
              end
            end
            Deep = Class.new(Outer) do
              def run; end
            end
        """,
        """
            class Outer.Inner 1-12
            method Outer.Inner.Outer.made 2
            method Outer.Inner.own 3
            method Outer.Inner.opened 5
            module Outer.Inner.Deep 7-11
            method Outer.Inner.Deep.hidden 10
            class Deep 13-15
            method Deep.run 14
            calls Struct @1
            inherits Struct @1
            calls Class @13
        """,
        id="singletons",
    ),
    pytest.param(
        ".cpp",
        """
            typedef struct { int a; } pair_t;
            typedef enum { A } kind_t;
            typedef unsigned long word_t;
            typedef void (*handler_t)(int);
            union Value { int a; };
            enum {
              ONE,
              TWO
            };
            // About it.
            static const int table[] = {
              1,
            };
            #define TEXT "one" \\
              "two" \\
              "three"
            // A friend of it.
            class A {
              // About f.
              friend int f(A a) { return a.get<int>() + one::two::three(); }
              LIB_EXPORT A(int a);
            };
            MACRO_TEST(named) {
              run();
            }
            TEST_CASE(Name) {
              run();
            }
            LIB_EXPORT LIB_PURE const char* g(int a LIB_UNUSED, int b LIB_UNUSED) { return 0; }
            template <typename T, LIB_ENABLE_IF(is<T>)>
            struct B : A {};
        """,
        """
            struct pair_t 1
            enum kind_t 2
            type word_t 3
            type handler_t 4
            struct Value 5
            constant ONE 6-9
            variable table 10-13
            constant TEXT 14-16
            class A 17-22
            method A.f 19-20
            method A.A 21
            function named 23-25
            function Name 26-28
            function g 29
            struct B 30-31
            calls get @20
            calls three @20
            calls run @24
            calls run @27
            inherits A @31
        """,
        id="cpp: rest of the types and calls",
    ),
    pytest.param(
        ".cs",
        """
            class A {
                // About fields.
                private readonly int[] table = {
                    1,
                };
                public event Action Changed;
                // About Long.
                public event Action Long =
                    () =>
                        Changed.Invoke(1);
                public event Action Custom
                {
                    add { Hook(value); }
                    remove { }
                }
                enum B {
                    // About One.
                    [Mark]
                    One,
                    [Mark]
                    [Mark]
                    Two
                        = 1
                        + 1,
                }
            }
        """,
        """
            class A 1-26
            field A.table 2-5
            field A.Long 7-10
            field A.Custom 11-15
            enum A.B 16-25
            constant A.B.Two 20-24
            calls Invoke @10
            calls Hook @13
        """,
        id="cs: events and fields",
    ),
    pytest.param(
        ".c",
        """
            typedef union { int a; } value_t;
            typedef unsigned long word_t;
            union value { int a; };
            enum color { RED };
            #define TEXT "one" \\
              "two" \\
              "three"
            #define ONCE(x) do { /* a */ \\
              x; \\
            } while (/* b */ 0)
            #define AFTER(x) x

            API_BEGIN
            struct API_EXPORT part {
              int a;
            };
            API_END

            int f(void) API_PURE {
              return 1;
            }
            API_EXPORT API_PURE part_t *g(void);
            // About pairs.
            static const int pairs[][2] = {
              {1, 2},
            };
            struct point { int x; } origin = {
              1,
            };
        """,
        """
            struct value_t 1
            type word_t 2
            struct value 3
            enum color 4
            constant TEXT 5-7
            macro ONCE 8-10
            macro AFTER 11
            struct part 14-16
            function f 19-21
            function g 22
            variable pairs 23-26
            struct point 27-29
        """,
        id="c: types and unknown macros",
    ),
    pytest.param(
        ".go",
        """
            package p

            // About a.
            const a = `
            x
            `

            // About T.
            type T struct {
                Base[int]
                pkg.Other[int]
            }

            var (
                // About b.
                b = []int{
                    1,
                }
            )

            func f() {
                use(pkg.Item{1}, List[int]{1})
            }
        """,
        """
            constant a 3-6
            struct T 8-12
            variable b 14-19
            function f 21-23
            inherits Base @10
            inherits Other @11
            calls Item @22
            calls List @22
            calls use @22
        """,
        id="go: single declarations and literals",
    ),
    pytest.param(
        ".java",
        """
            interface A {
                // About B.
                Map<String, Integer> B = Map.of(
                    "a", 1
                );
                /** About run. */
                default void run() { list.forEach(A::done); }
            }
            class C {
                // About d.
                private final Runnable d = () -> {
                    run();
                };
            }
        """,
        """
            interface A 1-8
            constant A.B 2-5
            method A.run 6-7
            class C 9-14
            field C.d 10-13
            calls of @3
            calls forEach @7
            calls run @12
        """,
        id="java: constants and references",
    ),
    pytest.param(
        ".js",
        """
            function* numbers() { yield 1; }
            const Named = class extends ns.Base {};
            // About one.
            var one = function () {};
            var data = {
              "quoted-key": function () {
                return 1;
              },
            };
            // About two.
            export const two = [
              1,
            ];
            module.exports = class Entry {};
            module.exports.Other = class {};
            // About three.
            app.three = () => {
              app.inner = function () {
                return new ns.Thing();
              };
            };
            class A {
              @decorated
              long = [
                1,
              ];
            }
            let four, five = [
              1,
            ];
        """,
        """
            function numbers 1
            class Named 2
            function one 3-4
            constant data 5-9
            method data.quoted-key 6-8
            constant two 10-13
            class Entry 14
            class Other 15
            function app.three 16-21
            function app.three.app.inner 18-20
            class A 22-27
            field A.long 23-26
            constant five 28-30
            inherits Base @2
            calls Thing @19
            decorates decorated @23
        """,
        id="js: assigned and exported",
    ),
    pytest.param(
        ".js",
        """
            /** About it. */
            export default class extends A {}
        """,
        """
            class default 1-2
            inherits A @2
        """,
        id="js: default class",
    ),
    pytest.param(
        ".js",
        """
            export default {
              name: "a",
              method() {
                return 1;
              },
            };
        """,
        """
            constant default 1-6
            method default.method 3-5
        """,
        id="js: default object",
    ),
    pytest.param(
        ".kt",
        """
            // About table.
            private val table = mapOf(
                1 to ::load,
            )
            val plain = 1

            class A {
                // About it.
                val String.first: Int
                    get() {
                        return 1
                    }
                var guarded = 1
                    @Internal set(value) {
                        field = value
                    }
            }

            enum class B {
                ONE;

                val label = listOf(
                    1,
                )
            }

            data class C(val a: @Serializable(With::class) Int, actual override val b: Int) {
                fun c() {}
            }

            class D internal constructor(actual val a: Int) {
                fun d() {}
            }
        """,
        """
            variable table 1-4
            class A 7-17
            field A.String.first 8-12
            field A.guarded 13-16
            enum B 19-25
            field B.label 22-24
            class C 27-29
            method C.c 28
            class D 31-33
            method D.d 32
            calls mapOf @2
            calls to @3
            calls listOf @22
        """,
        id="kt: properties",
    ),
    pytest.param(
        ".php",
        """
            <?php
            use Closure;
            use A\\{B\\C};
            require 'one.php';
            require_once 'two.php';
            include 'three.php';
            include_once 'four.php';
            require __DIR__ . '/five.php';

            // About TABLE.
            const TABLE = [
                1,
            ];

            class A
            {
                // About LIST.
                private const LIST = [
                    1,
                ];
                /** About list. */
                public $list = [
                    1,
                ];

                function run() { $this->walk(new self()); }
            }

            // About handler.
            $handler = function () {
                run();
            };

            enum B
            {
                #[Mark]
                #[Mark]
                case One
                    ;
            }
        """,
        """
            constant TABLE 10-13
            class A 15-27
            constant A.LIST 17-20
            field A.list 21-24
            method A.run 26
            function handler 29-32
            enum B 34-40
            imports Closure @2
            imports A:C @3
            imports one.php @4
            imports two.php @5
            imports three.php @6
            imports four.php @7
            imports /five.php @8
            calls walk @26
            calls run @31
        """,
        id="php: constants and includes",
    ),
    pytest.param(
        ".py",
        """
            import one.two as three

            @app.setup
            class A(base.Generic[int]):
                # About f.
                @property
                def f(self): ...
        """,
        """
            class A 3-7
            method A.f 5-7
            imports one.two @1
            decorates setup @3
            inherits Generic @4
            decorates property @6
        """,
        id="py: rest",
    ),
    pytest.param(
        ".rb",
        """
            # About LIST.
            LIST = [
              1
            ].freeze

            # About Tools.
            Tools = Module.new do
              def use; end
            end

            module A
              class << self
                # About opened.
                def opened; end
              end

              # About hidden.
              private def hidden
                object = build { reset! }
                def object.each; end
                object
              end

              # About made.
              private_class_method def self.made; end
            end
        """,
        """
            constant LIST 1-4
            module Tools 6-9
            function Tools.use 8
            module A 11-26
            method A.opened 13-14
            function A.hidden 17-22
            function A.hidden.object.each 20
            function A.made 24-25
            calls freeze @4
            calls Module @7
            calls build @19
            calls reset! @19
        """,
        id="rb: rest",
    ),
    pytest.param(
        ".rs",
        """
            extern crate one;
            use two;
            use three as four;
            use {five::six, seven::eight as nine};
            use ten::{eleven::*, twelve::{self as thirteen, fourteen::fifteen}};

            union A { a: u8 }
            /* About B. */
            type B = u8;
            static TEXT: [u8; 2] = [
                1, 2,
            ];

            mod inner {
                type C = u8;
                static LIST: [u8; 2] = [
                    1, 2,
                ];
            }

            impl A {
                const LIST: [u8; 2] = [
                    1, 2,
                ];
                type Output = u8;
            }

            impl Into<u8> for ! {
                fn into(self) -> u8 { std::convert::identity::<u8>(list!(1, make(2))) }
            }

            impl From<(A, B)> for [u8; 2] {
                fn from(a: (A, B)) -> Self { inner::A { a } }
            }
        """,
        """
            struct A 7
            type B 8-9
            variable TEXT 10-12
            module inner 14-19
            type inner.C 15
            variable inner.LIST 16-18
            constant A.LIST 22-24
            method !.into 29
            method [u8; 2].from 33
            imports one @1
            imports two @2
            imports three @3
            imports five:six @4
            imports seven:eight @4
            imports ten::eleven @5
            imports ten::twelve @5
            imports ten::twelve::fourteen:fifteen @5
            inherits Into @28
            calls identity @29
            calls list @29
            calls make @29
            inherits From @32
            calls A @33
        """,
        id="rs: rest",
    ),
    pytest.param(
        ".tsx",
        """
            /** About A. */
            export abstract class A extends React.Component<Props> implements Named {
              state = {
                a: 1,
              };
              @action
              handle = () => {};
              render(): JSX.Element { return <ns.Item key="a" />; }
            }
            // About Context.
            export const Context = createContext<Value>({
              a: 1,
            });
            interface Props extends Base { a: string }
            type Value = { a: number };
            enum Mode { On }
        """,
        """
            class A 1-9
            field A.state 3-5
            method A.handle 6-7
            method A.render 8
            constant Context 10-13
            interface Props 14
            type Value 15
            enum Mode 16
            inherits Component @2
            inherits Named @2
            decorates action @6
            calls Item @8
            calls createContext @11
            inherits Base @14
        """,
        id="tsx: members",
    ),
    pytest.param(
        ".ts",
        """
            import all from "./all";
            export { one } from "./one";
            export * from "./two";
            const lazy = () => import("./lazy");
            const old = require("./old");

            export const arrow = <T>(a: T) => a;
            // About table.
            const table: Record<string, () => void> = {
              handler(): void {
                new Thing();
              },
              other: (): void => {
                new ns.Thing();
              },
            };
            /** About settings. */
            export const settings = {
              a: 1,
            } as const;
            declare const global: {
              a: string;
            };
            // About assigned.
            target.assigned = function () {};
            namespace Inner {
              export const list = [
                1,
              ];
            }
            class A extends ns.B {
              list = [
                1,
              ];
            }
            function f() {
              const local = (): number => {
                return 1;
              };
            }
        """,
        """
            function lazy 4
            function arrow 7
            constant table 8-16
            method table.handler 10-12
            method table.other 13-15
            constant settings 17-20
            constant global 21-23
            function target.assigned 24-25
            module Inner 26-30
            constant Inner.list 27-29
            class A 31-35
            field A.list 32-34
            function f 36-40
            function f.local 37-39
            imports ./all @1
            imports ./all:all @1
            imports ./one @2
            imports ./one:one @2
            imports ./two @3
            imports ./lazy @4
            imports ./old @5
            imports ./old:old @5
            calls Thing @11
            calls Thing @14
            inherits B @31
        """,
        id="ts: values",
    ),
)
"""What is easily got wrong."""

HEADERS: Final = {
    "#ifndef A_H\nint a(void);\nstruct b { int c; };\n#endif\n": "c",
    '#ifdef __cplusplus\nextern "C" {\n#endif\nvoid a(int class_of, int public_key);\n': "c",
    "namespace a {\nint b();\n}\n": "cpp",
    "  template <typename T>\nT a(T b);\n": "cpp",
    "class A : public B {\n};\n": "cpp",
    "class A;\nclass B {\n};\n": "cpp",
    "/* class A { */\nint a(void);\n": "c",
    "using A = int;\n": "cpp",
    "#include <cstdint>\n": "cpp",
    "#include <stdint.h>\n": "c",
    "struct A {\n public:\n  int b;\n};\n": "cpp",
}

SUFFIXES: Final = {
    "c": ".c .h",
    "cpp": ".cc .cpp .cxx .hpp .hh .hxx .inl .ipp .tpp",
    "csharp": ".cs",
    "go": ".go",
    "java": ".java",
    "javascript": ".js .jsx .mjs .cjs",
    "kotlin": ".kt .kts",
    "php": ".php",
    "python": ".py .pyi .pyw",
    "ruby": ".rb .rake .gemspec .ru",
    "rust": ".rs",
    "tsx": ".tsx",
    "typescript": ".ts .mts .cts",
}


def parsed(suffix: str, source: str) -> tuple[str, Parsed]:
    text = dedent(source).lstrip("\n")
    language = language_of(f"some/file{suffix}")
    assert language is not None
    return text, parse(refine(language, text), text, split_lines(text))


USED: Final = frozenset({EdgeKind.CALLS, EdgeKind.DECORATES, EdgeKind.IMPORTS, EdgeKind.INHERITS})
"""The other kinds are in `test_used.py`."""


def described(found: Parsed) -> list[str]:
    """Symbols with a name in their order, then what they refer to, by line."""
    symbols = [f"{s.kind} {s.qualified} {s.span}" for s in found.symbols if s.kind is not Kind.CODE]
    references = [
        (r.line, r.kind.value, f"{r.module}:{r.name}".rstrip(":") if r.kind is EdgeKind.IMPORTS else r.name)
        for r in found.references
        if r.kind in USED
    ]
    return symbols + [f"{kind} {what} @{line}" for line, kind, what in sorted(references)]


def check(suffix: str, source: str, expected: str) -> None:
    assert described(parsed(suffix, source)[1]) == dedent(expected).split("\n")[1:-1]


@pytest.mark.parametrize(("suffix", "source", "expected"), WHOLE)
def test_symbols_and_references_of_a_language(suffix: str, source: str, expected: str) -> None:
    check(suffix, source, expected)


@pytest.mark.parametrize(("suffix", "source", "expected"), DETAILS)
def test_details(suffix: str, source: str, expected: str) -> None:
    check(suffix, source, expected)


@pytest.mark.parametrize(("suffix", "source", "expected"), WHOLE)
def test_lines_with_carriage_returns_give_the_same(suffix: str, source: str, expected: str) -> None:
    check(suffix, dedent(source).replace("\n", "\r\n").removeprefix("\r\n"), expected)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_an_empty_file_gives_nothing(language: Language) -> None:
    assert parse(language, "", ()) == Parsed((), ())


@pytest.mark.parametrize(("suffix", "source", "expected"), WHOLE)
def test_broken_syntax_gives_what_is_before_it(suffix: str, source: str, expected: str) -> None:
    text, whole = parsed(suffix, source)
    first = next(symbol for symbol in whole.symbols if symbol.kind not in (Kind.CODE, Kind.CONSTANT, Kind.TYPE))
    lines = text.split("\n")
    for cut in range(first.span.end, len(lines)):
        broken = "\n".join([*lines[:cut], "}} ) @@ ((", ""])
        _, found = parsed(suffix, broken)
        assert any(symbol.name == first.name for symbol in found.symbols), cut
        assert all(1 <= symbol.span.start <= symbol.span.end <= cut + 1 for symbol in found.symbols), cut


def test_references_belong_to_the_innermost_symbol() -> None:
    _, found = parsed(
        ".py",
        """
            @outside
            class A(Base):
                def a(self):
                    def b():
                        inner()
                    middle()
        """,
    )
    owners = {reference.name: found.symbols[reference.symbol].qualified for reference in found.references}
    assert owners == {"outside": "A", "Base": "A", "inner": "A.a.b", "middle": "A.a"}


def test_heads_end_before_their_bodies() -> None:
    heads = {
        ".py": "def a(\n    b,\n):\n    return b\n",
        ".cs": "class A\n{\n    void a(\n        int b)\n    {\n    }\n}\n",
        ".kt": "fun a(\n    b: Int,\n): Int {\n    return b\n}\n",
        ".ts": "const a = (\n  b: number,\n): number => {\n  return b;\n};\n",
        ".rb": "def a(b,\n      c)\n  # why\n  b\nend\n",
        ".go": "package p\nfunc a(\n\tb int,\n) int {\n\treturn b\n}\n",
    }
    ends = {suffix: parsed(suffix, text)[1] for suffix, text in heads.items()}
    assert {
        suffix: next((s.line, s.head_end, s.signature) for s in found.symbols if s.name == "a")
        for suffix, found in ends.items()
    } == {
        ".py": (1, 3, "def a( b, )"),
        ".cs": (3, 4, "void a( int b)"),
        ".kt": (1, 3, "fun a( b: Int, ): Int"),
        ".ts": (1, 3, "const a = ( b: number, ): number =>"),
        ".rb": (1, 2, "def a(b, c)"),
        ".go": (2, 4, "func a( b int, ) int"),
    }


@pytest.mark.parametrize(("text", "name"), HEADERS.items())
def test_headers_of_cpp_are_known_by_their_text(text: str, name: str) -> None:
    assert refine(C, text).name == name


def test_only_c_is_refined() -> None:
    for language in LANGUAGES:
        assert (refine(language, "namespace a {\n}\n") is language) == (language.name != "c")


def test_languages_are_known_by_their_suffix() -> None:
    found = {language.name: " ".join(language.suffixes) for language in LANGUAGES}
    assert found == SUFFIXES
    assert list(found) == sorted(found)
    for language in LANGUAGES:
        assert all(language_of(f"A/B.x{suffix.upper()}") is language for suffix in language.suffixes)
    assert language_of("README.md") is None
    assert language_of("c") is None


def test_flattening_keeps_every_line_in_its_place() -> None:
    text = dedent(
        """
        #if A // { (
        a("{", '{', "}\\"{"); /* { */
        #else
        b();
        #endif
        #ifdef C \\
            D
        if (c) {
        #else /* one {
                 two */
        {
        #endif
        #define E(x) { \\
          #if
        #endif
        #if
        """
    )
    assert flatten(text) == dedent(
        """

        a("{", '{', "}\\"{"); /* { */

        b();



        if (c) {




        #define E(x) { \\
          #if
        #endif
        #if
        """
    )
    assert flatten("no directive\n") == "no directive\n"
