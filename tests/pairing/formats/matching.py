"""A weighted matching of its own, to check the draw of a Swiss against: Edmonds' blossoms.

The classical dense algorithm with labels on vertices and blossoms, on whole numbers, O(n^3). It
shares no code with the library that draws the rounds; small graphs are checked against all
matchings by `least_by_trying`.
"""

from functools import cache

FREE, OUTER, INNER = -1, 0, 1


def least_by_trying(costs):
    """The least cost of a perfect matching, by trying every one; up to some 16 vertices."""

    @cache
    def rest(left):
        if not left:
            return 0
        first, *others = left
        return min(
            costs[first][other] + rest(tuple(one for one in others if one != other))
            for other in others
        )

    return rest(tuple(range(len(costs))))


def least(costs):
    """The least cost of a perfect matching of an even number of vertices."""
    top = 1 + max(max(row) for row in costs)
    weights = [[top - cost for cost in row] for row in costs]
    mates = _Matching(weights).mates()
    assert all(mates[mates[one]] == one != mates[one] for one in range(len(costs)))
    return sum(costs[one][mates[one]] for one in range(len(costs))) // 2


class _Matching:
    """Vertices are 1..n, blossoms n+1..2n; `edge[u][v]` is the real edge behind u-v.

    With all weights positive and a complete graph of even size the matching of most weight is
    perfect only if weights are raised enough, which the constructor does.
    """

    def __init__(self, weights):
        self.n = self.top = len(weights)
        size = 2 * self.n + 1
        raised = self.n * (1 + max(max(row) for row in weights))
        self.edge = [[(u, v) for v in range(size)] for u in range(size)]
        self.weight = [[0] * size for _ in range(size)]
        for u in range(self.n):
            for v in range(self.n):
                if u != v:
                    self.weight[u + 1][v + 1] = 2 * (weights[u][v] + raised)
        self.label = [0] * size
        self.mate = [0] * size
        self.slack = [0] * size
        self.base = list(range(size))
        self.parent = [0] * size
        self.within = [[0] * (self.n + 1) for _ in range(size)]
        self.kind = [FREE] * size
        self.seen = [0] * size
        self.ring = [[] for _ in range(size)]
        self.time = 0
        self.queue = []

    def mates(self):
        n = self.n
        for u in range(n + 1):
            self.base[u] = u
        heaviest = 0
        for u in range(1, n + 1):
            for v in range(1, n + 1):
                self.within[u][v] = u if u == v else 0
                heaviest = max(heaviest, self.weight[u][v])
        for u in range(1, n + 1):
            self.label[u] = heaviest // 2
        while self._grown():
            pass
        return [self.mate[u] - 1 for u in range(1, n + 1)]

    def _left(self, u, v):
        """How far an edge is from being tight."""
        a, b = self.edge[u][v]
        return self.label[a] + self.label[b] - self.weight[a][b]

    def _weigh(self, u, v):
        a, b = self.edge[u][v]
        return self.weight[a][b] if a and b else 0

    def _closer(self, u, x):
        if not self.slack[x] or self._left(u, x) < self._left(self.slack[x], x):
            self.slack[x] = u

    def _set_slack(self, x):
        self.slack[x] = 0
        for u in range(1, self.n + 1):
            if self._weigh(u, x) > 0 and self.base[u] != x and self.kind[self.base[u]] == OUTER:
                self._closer(u, x)

    def _push(self, x):
        if x <= self.n:
            self.queue.append(x)
        else:
            for one in self.ring[x]:
                self._push(one)

    def _set_base(self, x, b):
        self.base[x] = b
        if x > self.n:
            for one in self.ring[x]:
                self._set_base(one, b)

    def _even_way(self, b, inside):
        place = self.ring[b].index(inside)
        if place % 2:
            self.ring[b][1:] = reversed(self.ring[b][1:])
            return len(self.ring[b]) - place
        return place

    def _set_mate(self, u, v):
        self.mate[u] = self.edge[u][v][1]
        if u <= self.n:
            return
        inside = self.within[u][self.edge[u][v][0]]
        place = self._even_way(u, inside)
        for i in range(place):
            self._set_mate(self.ring[u][i], self.ring[u][i ^ 1])
        self._set_mate(inside, v)
        self.ring[u] = self.ring[u][place:] + self.ring[u][:place]

    def _augment(self, u, v):
        while True:
            after = self.base[self.mate[u]] if self.mate[u] else 0
            self._set_mate(u, v)
            if not after:
                return
            self._set_mate(after, self.base[self.parent[after]])
            u, v = self.base[self.parent[after]], after

    def _common(self, u, v):
        self.time += 1
        while u or v:
            if u:
                if self.seen[u] == self.time:
                    return u
                self.seen[u] = self.time
                u = self.base[self.mate[u]] if self.mate[u] else 0
                if u:
                    u = self.base[self.parent[u]]
            u, v = v, u
        return 0

    def _shrink(self, u, common, v):
        b = self.n + 1
        while b <= self.top and self.base[b]:
            b += 1
        self.top = max(self.top, b)
        self.label[b], self.kind[b], self.mate[b] = 0, OUTER, self.mate[common]
        self.ring[b] = [common]
        self._climb(b, u, common)
        self.ring[b][1:] = reversed(self.ring[b][1:])
        self._climb(b, v, common)
        self._set_base(b, b)
        for x in range(1, self.top + 1):
            self.edge[b][x], self.edge[x][b] = (0, 0), (0, 0)
        for x in range(1, self.n + 1):
            self.within[b][x] = 0
        for one in self.ring[b]:
            for x in range(1, self.top + 1):
                if self._weigh(one, x) and (
                    not self._weigh(b, x) or self._left(one, x) < self._left(b, x)
                ):
                    self.edge[b][x], self.edge[x][b] = self.edge[one][x], self.edge[x][one]
            for x in range(1, self.n + 1):
                if self.within[one][x]:
                    self.within[b][x] = one
        self._set_slack(b)

    def _climb(self, b, x, common):
        while x != common:
            y = self.base[self.mate[x]]
            self.ring[b] += [x, y]
            self._push(y)
            x = self.base[self.parent[y]]

    def _expand(self, b):
        for one in self.ring[b]:
            self._set_base(one, one)
        inside = self.within[b][self.edge[b][self.parent[b]][0]]
        place = self._even_way(b, inside)
        for i in range(0, place, 2):
            x, y = self.ring[b][i], self.ring[b][i + 1]
            self.parent[x] = self.edge[y][x][0]
            self.kind[x], self.kind[y] = INNER, OUTER
            self.slack[x] = 0
            self._set_slack(y)
            self._push(y)
        self.kind[inside], self.parent[inside] = INNER, self.parent[b]
        for x in self.ring[b][place + 1 :]:
            self.kind[x] = FREE
            self._set_slack(x)
        self.base[b] = 0

    def _found(self, u, v):
        """A tight edge: grow the tree, shrink a blossom, or augment (then True)."""
        a, b = self.edge[u][v]
        u, v = self.base[a], self.base[b]
        if self.kind[v] == FREE:
            self.parent[v], self.kind[v] = a, INNER
            after = self.base[self.mate[v]]
            self.slack[v] = self.slack[after] = 0
            self.kind[after] = OUTER
            self._push(after)
        elif self.kind[v] == OUTER:
            common = self._common(u, v)
            if not common:
                self._augment(u, v)
                self._augment(v, u)
                return True
            self._shrink(u, common, v)
        return False

    def _grown(self):
        """One more edge in the matching; False when there can be none."""
        self._start()
        if not self.queue:
            return False
        while not self._searched():
            if not self._relabelled():
                return False
            if self._tightened():
                return True
            for b in range(self.n + 1, self.top + 1):
                if self.base[b] == b and self.kind[b] == INNER and not self.label[b]:
                    self._expand(b)
        return True

    def _start(self):
        """Trees begin at whoever has no mate."""
        self.queue = []
        for x in range(1, self.top + 1):
            self.kind[x], self.slack[x] = FREE, 0
        for x in range(1, self.top + 1):
            if self.base[x] == x and not self.mate[x]:
                self.parent[x], self.kind[x] = 0, OUTER
                self._push(x)

    def _searched(self):
        """Along tight edges only; True when the matching has grown."""
        while self.queue:
            u = self.queue.pop(0)
            if self.kind[self.base[u]] == INNER:
                continue
            for v in range(1, self.n + 1):
                if self.weight[u][v] == 0 or self.base[u] == self.base[v]:
                    continue
                if self._left(u, v):
                    self._closer(u, self.base[v])
                elif self._found(u, v):
                    return True
        return False

    def _tightened(self):
        """The edges that have become tight; True when the matching has grown."""
        for x in range(1, self.top + 1):
            u = self.slack[x]
            tight = self.base[x] == x and u and self.base[u] != x and not self._left(u, x)
            if tight and self._found(u, x):
                return True
        return False

    def _relabelled(self):
        """Labels moved until one more edge is tight; False when the matching is perfect."""
        step = min(self._steps())
        for u in range(1, self.n + 1):
            kind = self.kind[self.base[u]]
            if kind == OUTER and self.label[u] <= step:
                return False
            self.label[u] += {OUTER: -step, INNER: step, FREE: 0}[kind]
        for b in range(self.n + 1, self.top + 1):
            if self.base[b] == b:
                self.label[b] += {OUTER: 2 * step, INNER: -2 * step, FREE: 0}[self.kind[b]]
        return True

    def _steps(self):
        """How far labels can move before something happens."""
        for x in range(1, self.top + 1):
            if self.base[x] != x:
                continue
            if x > self.n and self.kind[x] == INNER:
                yield self.label[x] // 2
            elif self.slack[x] and self.kind[x] != INNER:
                left = self._left(self.slack[x], x)
                yield left if self.kind[x] == FREE else left // 2
