"""What a hunt shows of itself in a notebook: a card, a widget to answer in, curve and map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rarefind.core.errors import MissingPackageError
from rarefind.core.html_card import html_card
from rarefind.geometry.maps import Map, make_map
from rarefind.hunting.compared import ComparedHunt
from rarefind.notebook.curve import classes_seen

if TYPE_CHECKING:
    from rarefind.notebook.widget import HuntWidget


class NotebookHunt(ComparedHunt):
    """A hunt that can be seen and answered in a notebook."""

    def widget(self, pictures: Sequence[Any] | None = None, map: str = "pca") -> HuntWidget:
        """Give a widget for Jupyter, VS Code or marimo: the question, keys, undo, curve and map.

        Every answer goes to this hunt, as with ``tell``; it needs the package anywidget.

        Parameters
        ----------
        pictures
            A picture for each record: arrays, paths, or the bytes of picture files.
        map
            How records are placed in the plane: ``"pca"``, ``"lda"``, ``"kernel-pca"`` or
            ``"umap"``.
        """
        try:
            from rarefind.notebook.widget import HuntWidget
        except ImportError:
            raise MissingPackageError("A widget", "anywidget", "notebook") from None
        return HuntWidget(self, self._records, pictures, lambda: self._map(map))

    def plot_map(self, method: str = "pca", axes: Any = None) -> Any:
        """Draw all records in the plane, and those told, by class; returns matplotlib's axes.

        ``method`` is ``"pca"``, ``"lda"``, ``"kernel-pca"`` or ``"umap"``.
        """
        from rarefind.evaluation.plots import draw_map, own_axes

        made = self._map(method)
        axes = own_axes() if axes is None else axes
        draw_map(axes, made.points.astype(float), self.labels, self.background)
        axes.set_title(made.note, fontsize=9)
        return axes

    def plot_discovery(self, axes: Any = None) -> Any:
        """Draw how many rare classes were seen after each label; returns matplotlib's axes."""
        from rarefind.evaluation.plots import draw_found, own_axes

        axes = own_axes() if axes is None else axes
        draw_found(axes, classes_seen(self.labels.values(), self.background), None)
        return axes

    def _repr_html_(self) -> str:
        found = ", ".join(f"{label} (row {row})" for label, row in self.found.items())
        facts = {
            "Records": f"{self.n_records:,}",
            "Labels": len(self.labels),
            "Found": found or "nothing rare yet",
        }
        return html_card("Hunt", str(self.outlook()), facts)

    def _map(self, method: str) -> Map:
        return make_map(method, *self.compared(), self.labels)
