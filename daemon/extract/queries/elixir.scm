(call target: (identifier) @only (arguments . (alias) @name) (#set! only "defmodule|defprotocol|defimpl")) @definition.module
(call target: (identifier) @only
  (arguments . [(identifier) @name (call target: (identifier) @name) (binary_operator left: (call target: (identifier) @name))])
  (#set! only "defp?|defmacrop?|defguardp?|defdelegate")) @definition.function

(call target: (identifier) @only (arguments . (alias) @name) (#set! only "alias|import|use|require")) @import.module
(call target: (identifier) @name) @reference.call
(call target: (dot left: (_) @receiver right: (identifier) @name)) @reference.call
