"""A package that can be called, for a public function that has the name of a package: `veridic.check`, `veridic.verify`."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


def make_callable(package: str, module: str, function: str) -> None:
    """Make calls of the imported `package` calls of `function` in `module`, which is imported at the first call.

    Python replaces the function by the package as soon as anything imports a module from it.
    """

    class CallablePackage(ModuleType):
        def __call__(self, *arguments: Any, **options: Any) -> Any:
            return getattr(import_module(module), function)(*arguments, **options)

    sys.modules[package].__class__ = CallablePackage
