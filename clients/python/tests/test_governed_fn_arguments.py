"""Arguments of governed functions: what is recorded, and what a rewrite does to them."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from support.gateways import ScriptedGateway, args_of, eventually, shaping
from support.marker import Marker
from svc_client import Client, SvcDenied, governed_fn


class TestRecording:
    def test_positional_and_keyword_arguments_stand_under_the_names_of_the_parameters(
        self, govern: Any, gateway: ScriptedGateway
    ) -> None:
        @govern()
        def fn(order: str, amount: int = 1, /, to: str = "x", *rest: int, note: str | None = None, **more: Any) -> Any:
            return (order, amount, to, rest, note, more)

        assert fn("o-1", 2, "y", 3, 4, note="n", extra=[5]) == ("o-1", 2, "y", (3, 4), "n", {"extra": [5]})
        assert fn("o-1", to="z") == ("o-1", 1, "z", (), None, {})
        assert args_of(gateway) == [
            {"order": "o-1", "amount": 2, "to": "y", "rest": [3, 4], "note": "n", "extra": [5]},
            {"order": "o-1", "amount": 1, "to": "z"},
        ]

    def test_a_default_that_json_cannot_say_is_left_out(self, govern: Any, gateway: ScriptedGateway) -> None:
        default = Marker()

        @govern()
        def fn(amount: int, marker: Marker = default) -> Marker:
            return marker

        assert fn(1) is default
        assert args_of(gateway) == [{"amount": 1}]
        with pytest.raises(SvcDenied, match=r"args.marker: expected a value that JSON can say; got Marker"):
            fn(1, Marker())

    def test_none_is_recorded_where_the_caller_gives_it(self, govern: Any, gateway: ScriptedGateway) -> None:
        @govern()
        def fn(note: str | None = None) -> str | None:
            return note

        fn()
        fn(None)
        assert args_of(gateway) == [{}, {"note": None}]
        gateway.reply = shaping({"note": "****"})
        assert fn(None) == "****"

    def test_what_a_partial_function_binds_is_recorded_or_refused(
        self, govern: Any, gateway: ScriptedGateway
    ) -> None:
        def fn(order: str, amount: int) -> tuple[str, int]:
            return (order, amount)

        assert govern()(functools.partial(fn, order="o-1"))(amount=5) == ("o-1", 5)
        assert args_of(gateway) == [{"order": "o-1", "amount": 5}]
        with pytest.raises(TypeError, match="bound by place"):
            govern()(functools.partial(fn, "o-1"))

    def test_omitted_parameters_are_passed_and_not_recorded(
        self, govern: Any, gateway: ScriptedGateway
    ) -> None:
        @govern(omit=["marker"])
        def fn(marker: Marker, amount: int) -> Marker:
            return marker

        marker = Marker()
        assert fn(marker, 1) is marker
        assert args_of(gateway) == [{"amount": 1}]
        with pytest.raises(ValueError, match="omit: expected names of parameters; got other"):
            govern(omit=["other"])(lambda: 1)

    def test_encode_says_how_a_value_is_written(self, govern: Any, gateway: ScriptedGateway) -> None:
        @govern(encode=lambda value: f"<{type(value).__name__}>")
        def fn(marker: Marker) -> Marker:
            return marker

        marker = Marker()
        assert fn(marker) is marker
        assert args_of(gateway) == [{"marker": "<Marker>"}]

    def test_a_keyword_with_the_name_of_a_positional_parameter_is_denied(self, govern: Any) -> None:
        @govern()
        def fn(amount: int, /, **more: int) -> int:
            return amount

        with pytest.raises(SvcDenied, match="args.amount: expected each name once"):
            fn(1, amount=2)

    def test_a_call_that_does_not_fit_is_refused_as_python_does(
        self, govern: Any, gateway: ScriptedGateway
    ) -> None:
        @govern()
        def fn(amount: int) -> int:
            return amount

        with pytest.raises(TypeError, match="amount"):
            fn()
        assert gateway.seen == []

    def test_receivers_of_methods_are_not_recorded(self, client: Client, gateway: ScriptedGateway) -> None:
        govern = governed_fn("pay", agent_id="agent-1", client=client)

        class Shop:
            @govern
            def method(self, amount: int) -> tuple[object, int]:
                return self, amount

            @classmethod
            @govern
            def of_class(cls, amount: int) -> tuple[object, int]:
                return cls, amount

            @staticmethod
            @govern
            def static(amount: int) -> int:
                return amount

            @govern
            @staticmethod
            def outside_static(self: int, amount: int) -> int:  # noqa: PLW0211
                return self + amount

            @govern
            @classmethod
            def outside_class(cls, amount: int) -> tuple[object, int]:
                return cls, amount

        shop = Shop()
        assert shop.method(1) == (shop, 1)
        assert Shop.of_class(2) == (Shop, 2)
        assert Shop.static(3) == 3
        assert Shop.outside_static(4, 5) == 9
        assert Shop.outside_class(6) == (Shop, 6)
        assert args_of(gateway) == [
            {"amount": 1},
            {"amount": 2},
            {"amount": 3},
            {"self": 4, "amount": 5},
            {"amount": 6},
        ]

    def test_a_plain_function_may_call_its_argument_self(self, govern: Any, gateway: ScriptedGateway) -> None:
        @govern()
        def fn(self: int) -> int:
            return self

        assert fn(1) == 1
        assert args_of(gateway) == [{"self": 1}]


class TestRewrites:
    def rewritten(self, gateway: ScriptedGateway, govern: Any, shaped: dict[str, Any], **options: Any) -> Any:
        gateway.reply = shaping(shaped)

        @govern(**options)
        def fn(order: str, amount: int = 1, *rest: int, note: str | None = None, **more: Any) -> Any:
            return (order, amount, rest, note, more)

        return fn

    def test_reach_the_parameters(self, govern: Any, gateway: ScriptedGateway) -> None:
        fn = self.rewritten(gateway, govern, {"order": "o", "amount": 5, "rest": [7], "note": "n", "x": 2})
        assert fn("o", 12, 8, x=1) == ("o", 5, (7,), "n", {"x": 2})

    def test_may_add_and_remove_what_is_optional(self, govern: Any, gateway: ScriptedGateway) -> None:
        fn = self.rewritten(gateway, govern, {"order": "o", "amount": 1, "added": True, "note": "x"})
        assert fn("o", 1, 2, 3, note="x", gone=1) == ("o", 1, (), "x", {"added": True})

    def test_that_remove_what_the_function_needs_are_denied(self, govern: Any, gateway: ScriptedGateway) -> None:
        fn = self.rewritten(gateway, govern, {"amount": 1})
        with pytest.raises(SvcDenied, match="order was removed, and the function needs it") as caught:
            fn("o")
        assert (caught.value.reason_code, caught.value.fail_closed) == ("shaping_unsupported", True)
        eventually(lambda: len(gateway.outcomes) == 1, "an outcome")
        assert gateway.outcomes == [{"decision_id": "gateway-1.7", "status": "not_executed"}]

    def test_that_remove_a_default_are_denied(self, govern: Any, gateway: ScriptedGateway) -> None:
        fn = self.rewritten(gateway, govern, {"order": "o"})
        with pytest.raises(SvcDenied, match="its default is the same"):
            fn("o")
        assert fn("o", 12) == ("o", 1, (), None, {})

    def test_that_a_function_has_no_place_for_are_denied(self, govern: Any, gateway: ScriptedGateway) -> None:
        gateway.reply = shaping({"amount": 1, "other": 2})

        @govern()
        def fn(amount: int) -> None:
            raise AssertionError("invoked")

        with pytest.raises(SvcDenied, match="there is no parameter other"):
            fn(1)

    def test_keep_the_objects_that_they_leave_as_they_are(self, govern: Any, gateway: ScriptedGateway) -> None:
        gateway.reply = shaping({"marker": "m", "amount": 1})

        @govern(encode=lambda _: "m")
        def fn(marker: Marker, amount: int) -> tuple[Marker, int]:
            return marker, amount

        marker = Marker()
        assert fn(marker, 12) == (marker, 1)
        gateway.reply = shaping({"marker": "other", "amount": 1})
        with pytest.raises(SvcDenied, match="marker is not a JSON value"):
            fn(marker, 12)

    def test_reach_methods(self, client: Client, gateway: ScriptedGateway) -> None:
        gateway.reply = shaping({"amount": 5})

        class Shop:
            @governed_fn("pay", agent_id="a", client=client)
            def pay(self, amount: int) -> tuple[object, int]:
                return self, amount

        shop = Shop()
        assert shop.pay(12) == (shop, 5)
