"use strict";
(function () {
  const svgSpace = "http://www.w3.org/2000/svg";
  const data = document.getElementById("games");
  const games = data ? JSON.parse(data.textContent) : [];
  const players = [];

  function make(name, attributes, parent) {
    const element = document.createElementNS(svgSpace, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(element);
    return element;
  }

  // A board is a map from squares to pieces as a FEN writes them.
  function boardOf(fen) {
    const board = new Map();
    fen.split("/").forEach(function (row, index) {
      let file = 0;
      for (const c of row) {
        if (c >= "1" && c <= "8") file += Number(c);
        else board.set("abcdefgh"[file++] + (8 - index), c);
      }
    });
    return board;
  }

  function step(board, text) {
    const found = /^(..)(..)([QRBN])?(?:\/(..)(..))?(?:x(..))?$/.exec(text);
    if (!found) return board;
    const next = new Map(board);
    const piece = next.get(found[1]);
    const rook = found[4] ? next.get(found[4]) : null;
    next.delete(found[1]);
    if (rook) next.delete(found[4]);
    if (found[6]) next.delete(found[6]);
    const white = piece === piece.toUpperCase();
    next.set(found[2], found[3] ? (white ? found[3] : found[3].toLowerCase()) : piece);
    if (rook) next.set(found[5], rook);
    return next;
  }

  function place(square, turned) {
    const file = square.charCodeAt(0) - 97;
    const rank = square.charCodeAt(1) - 49;
    return turned ? [7 - file, rank] : [file, 7 - rank];
  }

  function draw(holder, board, moved, turned, label) {
    const svg = make("svg", { class: "board", viewBox: "-18 0 378 378", role: "img", "aria-label": label });
    for (let index = 0; index < 64; index++) {
      const square = "abcdefgh"[index % 8] + (1 + (index >> 3));
      const at = place(square, turned);
      const where = { x: 45 * at[0], y: 45 * at[1], width: 45, height: 45 };
      where.class = (index + (index >> 3)) % 2 ? "light" : "dark";
      make("rect", where, svg);
      if (moved.indexOf(square) >= 0) {
        where.class = "moved";
        make("rect", where, svg);
      }
      const piece = board.get(square);
      if (piece) {
        const name = (piece === piece.toUpperCase() ? "w" : "b") + piece.toUpperCase();
        make("use", { href: "#" + name, x: where.x, y: where.y }, svg);
      }
    }
    for (let index = 0; index < 8; index++) {
      const file = "abcdefgh"[index], at = place(file + (index + 1), turned);
      make("text", { x: 45 * at[0] + 22, y: 374 }, svg).textContent = file;
      make("text", { x: -9, y: 45 * at[1] + 27 }, svg).textContent = String(index + 1);
    }
    holder.replaceChildren(svg);
  }

  // Centipawns or a mate as a height between 0 (Black wins) and 1.
  function height(score) {
    if (typeof score === "string") return score[1] === "-" ? 0 : 1;
    return 1 / (1 + Math.exp(-0.00368208 * score));
  }

  function words(score) {
    if (score === null || score === undefined) return "";
    if (typeof score === "string") return "mate in " + score.slice(1).replace("-", "") + (score[1] === "-" ? " for Black" : " for White");
    return (score < 0 ? "\u2212" : "+") + (Math.abs(score) / 100).toFixed(2) + " (from White)";
  }

  function Player(root) {
    const find = function (name) { return root.querySelector(name); };
    const first = Number(root.dataset.first);
    const count = Number(root.dataset.count);
    const select = find(".game");
    let game = null, sans = [], steps = [], boards = [], ply = 0, timer = null, buttons = [], at = null;
    const self = this;

    function fill() {
      const wanted = find(".filter").value.toLowerCase();
      const kept = select.value;
      select.replaceChildren();
      for (let index = first; index < first + count; index++) {
        const one = games[index];
        const text = one.t + ": " + one.w + " \u2013 " + one.b + ", " + one.r + ", " + one.e;
        if (wanted && text.toLowerCase().indexOf(wanted) < 0) continue;
        const option = document.createElement("option");
        option.value = String(index);
        option.textContent = text;
        select.appendChild(option);
      }
      if (Array.from(select.options).some(function (o) { return o.value === kept; })) select.value = kept;
      else if (select.options.length) load(Number(select.value), 0);
    }

    function load(index, wanted) {
      stop();
      game = games[index];
      sans = game.s ? game.s.split(" ") : [];
      steps = game.m ? game.m.split(" ") : [];
      boards = [boardOf(game.f)];
      for (const one of steps) boards.push(step(boards[boards.length - 1], one));
      list();
      curve();
      go(Math.min(wanted, steps.length));
    }

    function list() {
      const items = document.createDocumentFragment();
      buttons = [];
      let number = Math.abs(game.n), black = game.n < 0;
      sans.forEach(function (text, index) {
        const item = document.createElement("li");
        if (!black || index === 0) {
          const mark = document.createElement("span");
          mark.className = "number";
          mark.textContent = number + (black ? "\u2026 " : ". ");
          item.appendChild(mark);
        }
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.addEventListener("click", function () { stop(); go(index + 1); });
        item.appendChild(button);
        items.appendChild(item);
        buttons.push(button);
        if (black) number++;
        black = !black;
      });
      find(".moves").replaceChildren(items);
    }

    function curve() {
      const svg = make("svg", { viewBox: "0 0 600 140", preserveAspectRatio: "none", role: "img", "aria-label": "Evaluations by both players after each of their moves, from White: up is better for White" });
      const width = Math.max(1, steps.length);
      make("line", { class: "zero", x1: 0, x2: 600, y1: 70, y2: 70 }, svg);
      let black = game.n < 0;
      [0, 1].forEach(function (side) {
        const points = [];
        game.v.forEach(function (score, index) {
          const mover = (index + (black ? 1 : 0)) % 2;
          if (mover === side && score !== null) points.push((600 * (index + 1) / width).toFixed(1) + "," + (135 - 130 * height(score)).toFixed(1));
        });
        make("polyline", { class: side ? "black" : "white", points: points.join(" ") }, svg);
      });
      at = make("line", { class: "at", x1: 0, x2: 0, y1: 0, y2: 140 }, svg);
      svg.addEventListener("click", function (event) {
        const box = svg.getBoundingClientRect();
        stop();
        go(Math.round(steps.length * (event.clientX - box.left) / box.width));
      });
      find(".curve").replaceChildren(svg);
    }

    function go(to) {
      ply = Math.max(0, Math.min(steps.length, to));
      const moved = ply ? [steps[ply - 1].slice(0, 2), steps[ply - 1].slice(2, 4)] : [];
      const number = Math.abs(game.n) + ((ply - 1 + (game.n < 0 ? 1 : 0)) >> 1);
      const byBlack = (ply - 1 + (game.n < 0 ? 1 : 0)) % 2 === 1;
      const name = ply ? number + (byBlack ? "\u2026 " : ". ") + sans[ply - 1] : "Beginning";
      draw(find(".diagram"), boards[ply], moved, game.k, "Position after " + name);
      const said = ply ? words(game.v[ply - 1]) : "";
      const end = ply === steps.length ? ". " + game.r + ", " + game.e : "";
      find(".now").textContent = name + (said ? ": " + (byBlack ? game.b : game.w) + " says " + said : "") + end;
      const comment = (game.c || []).find(function (one) { return one[0] === ply - 1; });
      find(".words").textContent = comment ? comment[1] : "";
      find(".top").textContent = game.k ? game.w : game.b;
      find(".bottom").textContent = game.k ? game.b : game.w;
      buttons.forEach(function (button, index) {
        if (index === ply - 1) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      });
      const list = find(".moves");
      if (ply) {
        const top = buttons[ply - 1].offsetTop - list.offsetTop;
        if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) list.scrollTop = top - 60;
      }
      if (at) {
        const x = 600 * ply / Math.max(1, steps.length);
        at.setAttribute("x1", x);
        at.setAttribute("x2", x);
      }
      root.dataset.ply = String(ply);
      if (ply === steps.length) stop();
    }

    function stop() {
      if (timer) clearInterval(timer);
      timer = null;
      find(".play").textContent = "Play";
    }

    find(".filter").addEventListener("input", fill);
    select.addEventListener("change", function () { load(Number(select.value), 0); });
    find(".first").addEventListener("click", function () { stop(); go(0); });
    find(".back").addEventListener("click", function () { stop(); go(ply - 1); });
    find(".next").addEventListener("click", function () { stop(); go(ply + 1); });
    find(".last").addEventListener("click", function () { stop(); go(steps.length); });
    find(".play").addEventListener("click", function () {
      if (timer) return stop();
      if (ply === steps.length) go(0);
      find(".play").textContent = "Pause";
      timer = setInterval(function () { go(ply + 1); }, 700);
    });
    root.addEventListener("keydown", function (event) {
      if (event.target.tagName === "SELECT" || event.target.tagName === "INPUT") return;
      const keys = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: steps.length };
      if (event.key in keys) {
        event.preventDefault();
        stop();
        go(keys[event.key]);
      }
    });

    self.has = function (index) { return index >= first && index < first + count; };
    self.show = function (index, wanted) {
      find(".filter").value = "";
      fill();
      select.value = String(index);
      load(index, wanted);
      root.scrollIntoView({ block: "start" });
      root.focus();
    };
    fill();
  }

  document.querySelectorAll(".player").forEach(function (root) { players.push(new Player(root)); });
  document.querySelectorAll("button.show").forEach(function (button) {
    button.addEventListener("click", function () {
      const index = Number(button.dataset.game);
      const player = players.find(function (one) { return one.has(index); });
      if (player) player.show(index, Number(button.dataset.ply));
    });
  });
})();
