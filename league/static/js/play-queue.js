// The queue on the table's page: saving, undoing and editing while hands wait in the phone.
import { answersOf, begun, countsWrong, fill, isPassed, isWhole, nextQuestion } from "./play-form.js";
import { say } from "./play-preview.js";
import { pays } from "./play-score.js";
import { TAKEN, drawElsewhere, drawQueue, focusNext, handForm, hear, section, toast, words } from "./play-queue-view.js";
import { copies, waiting } from "./queue-store.js";
import { Queue, newId } from "./queue.js";

/* A hand as it was played after those on the site: by then the deal had gone on. */
const played = (fields, { next, dealer }) => ({
  ...fields,
  number: String(next),
  dealer: fields.auction ? fields.dealer : String(dealer),
});

export class Desk {
  /* `refresh()` fetches the page's part anew, `status(state, text)` writes the status line. */
  constructor(refresh, status) {
    const { tableId, address } = section().dataset;
    const token = () => section().querySelector("[name=csrfmiddlewaretoken]").value;
    const door = { address, token, renew: refresh, page: () => section().dataset };
    this.queue = new Queue(tableId, door, (taken) => this.changed(taken));
    const tabs = new BroadcastChannel("waiting-hands"); // this phone's other tabs follow at once
    tabs.onmessage = () => this.readAgain();
    Object.assign(this, { refresh, status, tabs, editing: null });
  }

  async open() {
    try {
      await this.queue.load();
    } catch {
      return this.isRead(); // nothing can be kept here: hands are sent as without a queue
    }
    const again = async () => {
      if (document.hidden) return;
      await this.readAgain();
      this.queue.hasten();
    };
    addEventListener("online", again);
    for (const turn of ["online", "offline"]) addEventListener(turn, () => this.sayOnline());
    document.addEventListener("visibilitychange", again);
    document.addEventListener("click", (event) => this.choose(event));
    document.addEventListener("submit", (event) => {
      if (!event.target.matches("[data-undo-waiting]")) return;
      event.preventDefault();
      this.undo();
    });
    if (this.isWaiting) this.draw();
    this.isRead();
    await this.lookElsewhere();
    if (this.isWaiting) await this.queue.flush();
    // The page may be one that this phone kept: only what the server says now counts.
    const lost = await this.copies((second) => second.lost(section().dataset));
    if (lost?.length) await this.refresh().catch(() => {});
  }

  async lookElsewhere() {
    const all = await waiting().catch(() => []);
    drawElsewhere(all.filter(({ table }) => table !== this.queue.table));
  }

  /* The server has sent this page: what it does not know any more, this phone brings back. */
  async compare() {
    const page = { ...section().dataset, isSending: this.queue.busy };
    await this.lookElsewhere();
    if (await this.copies((second) => second.compare(page))) await this.queue.flush();
  }

  /* Another tab of this phone may have added hands or sorted out a clash: what waits now counts.
     False where the hand that is open here waits no more. */
  async readAgain() {
    if (this.queue.busy) return true;
    const [first] = this.queue.hands;
    await this.queue.load().catch(() => {});
    const isGone = this.editing && !this.edited;
    if (isGone) {
      this.editing = null;
      fill(handForm(), {});
    }
    if (first && !this.isWaiting) await this.refresh().catch(() => this.startAgain(first));
    if (first || this.isWaiting) this.draw();
    return !isGone;
  }

  /* Ask what looks after the copies; a first visit, which has none, does not load it. */
  async copies(ask) {
    try {
      if ((await copies()).length) return await ask(await import("./second-copy.js"));
    } catch {
      // Nothing is kept here, or the network is away: the server's own hands are all there are.
    }
    return null;
  }

  /* What waits is known: from here on "Saved" may be said. */
  isRead() {
    document.body.dataset.queueRead = "";
    this.sayOnline();
  }

  /* Where nothing waits and nothing needs attention the line says whether the phone is online. */
  sayOnline() {
    if (!this.isWaiting && document.querySelector("#sync:is([data-state=saved], [data-state=offline])")) this.draw();
  }

  async changed(taken) {
    // Perhaps a server of before; or another phone's hand, which the score has yet to show.
    const isBehind = ["hand-missing", "hand-there"].includes(this.queue.trouble?.code);
    const isNew = (taken || isBehind) && (await this.refresh().catch(() => false));
    this.draw();
    this.tabs.postMessage("");
    if (this.queue.already) toast(`${this.queue.already} ${words.once}`);
    this.queue.already = "";
    if (isNew && this.isOutdated) await this.queue.flush();
  }

  /* The page, which is newer than the answer about a clash, says that the game has moved since. */
  get isOutdated() {
    const { next } = this.queue.trouble ?? {};
    return Boolean(next) && String(next) !== section().dataset.next;
  }

  /* Keep a hand in the phone while `send` is tried, so that nothing can lose it on the way.
     Answers the page that came back; null when the hand waits, or when the server's answer is
     one that the queue tells better. Throws where nothing could be kept, as `send` does. */
  async sendKept(form, button, send) {
    const answers = answersOf(form, button);
    const hand = await this.queue.add(answers).catch(() => null);
    this.queue.busy = true;
    try {
      const answer = await send();
      this.queue.busy = false;
      if (!hand) return answer;
      if (answer.ours) {
        await this.queue.answered(hand, answer.part.querySelector("[data-queue]").dataset);
        return answer;
      }
      this.goOn(answers.number);
      await this.queue.flush();
    } catch (trouble) {
      this.queue.busy = false;
      if (!hand) throw trouble;
      this.queue.later(hand);
      this.goOn(answers.number);
    }
    return null;
  }

  /* The other hand of a clash may have changed: mine is sent again, and the clash says what is now. */
  askAgain() {
    return this.queue.flush();
  }

  get edited() {
    return this.queue.hands.find(({ order }) => order === this.editing);
  }

  /* Whether a clash is about a place in the game, which another phone may have freed or filled. */
  get isTaken() {
    return TAKEN.includes(this.queue.trouble?.code);
  }

  get isWaiting() {
    return this.queue.hands.length > 0;
  }

  /* Save while hands wait: behind them, or in the place of the one that is being edited. */
  async saveBehind(form, button) {
    const answers = answersOf(form, button);
    const { edited } = this;
    const { trouble } = this.queue;
    this.editing = null;
    if (edited) await this.edit(edited, answers);
    else await this.queue.add(this.afterLast(answers));
    this.goOn(answers.number);
    if (edited && trouble?.version) return this.replaceTheirs(edited, { ...trouble, mine: "" }); // as the bar said
    await this.queue.flush();
  }

  /* A hand begun before another tab added one is the next. */
  afterLast(answers) {
    const { fields } = this.queue.last;
    if (Number(answers.number) > Number(fields.number)) return answers;
    return played(answers, { next: Number(fields.number) + 1, dealer: this.dealerAfter(fields) });
  }

  /* Gives a hand other answers; those behind it move on with it, and the deal with them. */
  async edit(hand, answers) {
    const place = this.queue.hands.findIndex((other) => other.order === hand.order);
    let [was, now] = [hand.fields, answers];
    await this.queue.change(hand, answers);
    for (const behind of this.queue.hands.slice(place + 1)) {
      const fields = { ...behind.fields, number: String(Number(now.number) + 1) };
      const inTurn = fields.dealer === this.dealerAfter(was);
      if (inTurn && !fields.auction) fields.dealer = this.dealerAfter(now); // calls are listed from the dealer on
      [was, now] = [behind.fields, fields];
      await this.queue.change(behind, fields);
    }
  }

  dealerAfter(fields) {
    const { passedDealers, nextDealers } = handForm().dataset;
    return (isPassed(fields) ? passedDealers : nextDealers).split(" ")[fields.dealer];
  }

  /* A hand stays here for now: say so, and make ready for the next. */
  goOn(number) {
    this.setUp(true);
    this.draw();
    this.tabs.postMessage("");
    hear(words.kept, number);
    focusNext();
    scrollTo({ top: 0 });
  }

  /* The form for the hand after the last that waits. */
  setUp(clear = false) {
    const form = handForm();
    const last = this.queue.last;
    if (!form || !last || this.editing || (begun(form) && !clear)) return;
    this.ready(form, String(Number(last.fields.number) + 1), this.dealerAfter(last.fields));
  }

  /* An empty form for a hand of this number and dealer. */
  ready(form, number, dealer) {
    fill(form, { number, dealer, client_id: newId() });
    this.plainSave(form);
    form.querySelector("[data-first-dealer]")?.toggleAttribute("hidden", number !== "1");
    this.name(number);
    const marker = form.querySelector(".dealer");
    if (marker) form.querySelector(`[name=maker][value="${dealer}"]`)?.closest("label").append(marker);
  }

  /* The form is for this hand, which waits no more. */
  startAgain({ fields }) {
    if (handForm()) this.ready(handForm(), fields.number, fields.dealer);
  }

  /* The page says which hand its form is for. */
  name(number) {
    const place = document.querySelector(".score-bar > span");
    const heading = document.querySelector("#main > h1");
    for (const line of [place, heading]) if (line) line.textContent = words.where.replace("%s", number);
  }

  /* What a refused page left behind goes: its sentences and its "Yes, save it". */
  plainSave(form) {
    form.querySelectorAll(".errorlist").forEach((list) => list.remove());
    document.querySelectorAll(".pad [role=alert][data-focus]").forEach((notice) => notice.remove());
    document.querySelector("[data-save]")?.removeAttribute("name");
    say(this.later);
  }

  get later() {
    if (this.queue.trouble) return words.settle;
    if (isWhole(handForm())) return this.pays || this.unconfirmed;
    if (!begun(handForm())) return this.isWaiting ? this.unconfirmed : words.missing;
    return countsWrong(handForm()) ? words.counts : words[nextQuestion(handForm()) || "missing"];
  }

  get pays() {
    return pays(answersOf(handForm()), handForm(), section().closest("[data-table]"));
  }

  get unconfirmed() {
    return document.querySelector("#score[data-counted]") ? words.counted : words.preview;
  }

  /* No points against a score that waiting hands have yet to change. */
  get previewHeld() {
    const known = !this.isWaiting || this.editing === this.queue.hands[0].order;
    return known ? "" : this.later;
  }

  draw() {
    drawQueue(this.queue, this.status);
    this.drawn = this.queue.trouble;
    if (this.isWaiting) this.setUp();
    if (this.edited) this.name(this.edited.fields.number); // a new page names the next
    if (document.querySelector("[data-won]")) this.name(this.queue.last.fields.number);
  }

  async choose(event) {
    const button = event.target.closest("[data-queue] [data-do]");
    if (!button || this.isChoosing) return;
    this.isChoosing = true;
    await this.settle(button.dataset.do, this.drawn).finally(() => (this.isChoosing = false));
  }

  /* `meant`: the clash that was on the page when one of its choices was tapped. */
  async settle(choice, meant) {
    await this.queue.idle();
    if (choice !== "edit") await this.readAgain();
    const hand = this.queue.hands[0];
    const { trouble } = this.queue;
    const isMeant = trouble && meant && ["hand", "code", "version"].every((name) => trouble[name] === meant[name]);
    if (!isMeant || this.queue.busy) return; // sorted out in another tab, or it is another one now
    const fields = TAKEN.includes(trouble.code) ? played(hand.fields, trouble) : hand.fields;
    // Edited in its own place: saving it corrects the other.
    if (choice === "edit") return this.openAgain(hand, trouble.theirs ? hand.fields : fields);
    this.closeAgain(hand);
    if (choice === "replace") return this.replaceTheirs(hand, trouble);
    if (choice === "drop") await this.drop(hand, trouble);
    if (choice === "confirm") await this.queue.change(hand, { ...hand.fields, confirm_unlikely: "on" });
    if (choice === "next") await this.edit(hand, fields);
    await this.queue.flush();
  }

  /* Where another's hand stands in its place, those behind keep theirs; else they move up. */
  async drop(hand, trouble) {
    await this.queue.drop(hand);
    if (trouble.code !== "hand-there") await this.queue.renumber(hand.fields.number);
    if (!this.isWaiting) await this.refresh().catch(() => {});
  }

  /* Mine corrects the other; where that is refused, the clash says why. */
  async replaceTheirs(hand, trouble) {
    this.queue.busy = true;
    const { lost } = section().closest("[data-table]").dataset;
    const refused = await this.queue.replace(hand, trouble.version, words.differently).catch(() => lost);
    this.queue.busy = false;
    if (refused) {
      this.queue.trouble = { ...trouble, title: refused };
      return this.draw();
    }
    await this.drop(hand, trouble);
    await this.queue.flush();
  }

  openAgain(hand, fields) {
    this.editing = hand.order;
    fill(handForm(), fields);
    this.name(fields.number);
    const given = Object.keys(fields).filter((name) => name !== "dealer");
    const holds = (part) => given.some((name) => part.querySelector(`[name="${name}"]`));
    handForm().querySelectorAll("details").forEach((part) => (part.open = holds(part)));
    handForm().querySelector("[name=maker]:checked")?.focus();
    handForm().scrollIntoView();
  }

  /* Something else was chosen for a hand that was opened again: its form is empty. */
  closeAgain(hand) {
    if (this.editing !== hand.order) return;
    this.editing = null;
    this.startAgain(hand);
  }

  /* The last waiting hand is taken back: here alone, for nobody else knows of it. */
  async undo() {
    const hand = this.queue.last;
    if (this.queue.busy || !hand) return;
    await this.queue.drop(hand);
    this.tabs.postMessage("");
    if (this.editing === hand.order) this.editing = null;
    if (this.queue.tried.has(hand.order)) hear(words.gone, hand.fields.number);
    this.startAgain(hand);
    this.draw();
    if (this.queue.hands.length === 0) await this.refresh().catch(() => {});
  }
}
