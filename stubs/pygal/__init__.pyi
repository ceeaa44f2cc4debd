from collections.abc import Iterable
from xml.etree.ElementTree import Element

from pygal.style import Style

class Graph:
    x_labels: Iterable[str]
    y_labels: Iterable[int]
    def __init__(
        self,
        *,
        style: Style = ...,
        width: int = ...,
        height: int = ...,
        show_legend: bool = ...,
        print_values: bool = ...,
        x_label_rotation: int = ...,
        show_minor_x_labels: bool = ...,
        show_y_labels: bool = ...,
        x_labels_major_every: int | None = ...,
        no_data_text: str = ...,
        explicit_size: bool = ...,
        fill: bool = ...,
        show_dots: bool = ...,
        dots_size: int = ...,
        zero: int = ...,
        include_x_axis: bool = ...,
        margin: int = ...,
        margin_right: int = ...,
        truncate_label: int = ...,
        js: Iterable[str] = ...,
    ) -> None: ...
    def add(self, title: str, values: Iterable[int | float | None]) -> Graph: ...
    def render_tree(self) -> Element: ...

class Bar(Graph): ...
class HorizontalBar(Graph): ...
class Line(Graph): ...
