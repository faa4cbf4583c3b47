// What only the browser can do with files: find them, read them, send them. Which, when and what it means is decided in
// app/src/upload, which knows a file by its number alone.
{
  // More than anybody looks through; a disk that was dropped by mistake ends here.
  const MOST = 10_000;
  // Without a byte or an answer for so long, in milliseconds, a line is given up.
  const SILENCE = 120_000;
  const files = [];
  const lines = new Map();
  const gone = new Map();
  let early = [];
  let take = (...found) => early.push(found);

  const read = (reader) => new Promise((done, failed) => reader.readEntries(done, failed));
  async function* walk(entry, folder = "") {
    const path = folder + entry.name;
    try {
      if (entry.isFile) {
        yield { path, file: await new Promise((done, failed) => entry.file(done, failed)) };
      } else if (entry.name.startsWith(".")) {
        // A hidden folder is one thing that is left out, not thousands.
        yield { path };
      } else {
        const reader = entry.createReader();
        for (let some; (some = await read(reader)).length; ) for (const inner of some) yield* walk(inner, `${path}/`);
      }
    } catch {
      yield { path };
    }
  }

  // Numbers what was found, in the order of names, and hands it over: number, path, size (below zero: it cannot be read).
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  async function hand(found) {
    const all = [];
    let more = false;
    for await (const one of found) {
      if ((more = all.length >= MOST)) break;
      all.push(one);
    }
    all.sort((one, other) => compare(one.path, other.path));
    const list = all.flatMap(({ path, file }) => [files.push(file) - 1, path, file ? file.size : -1]);
    if (list.length) take(list, more);
  }
  async function* dropped(entries) {
    for (const entry of entries) yield* walk(entry);
  }

  const root = document.documentElement;
  const brings = (event) => event.dataTransfer?.types.includes("Files");
  let leaving;
  const over = (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    root.dataset.dropping = "";
    // It is repeated as long as the files are over the page; no browser tells the end of it reliably.
    clearTimeout(leaving);
    leaving = setTimeout(() => delete root.dataset.dropping, 700);
  };
  addEventListener("dragenter", over);
  addEventListener("dragover", over);
  addEventListener("drop", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    delete root.dataset.dropping;
    // The list is empty as soon as this handler returns.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const plain = [...event.dataTransfer.files].map((file) => ({ path: file.name, file }));
    hand(entries.length ? dropped(entries) : plain);
  });
  addEventListener("change", ({ target }) => {
    if (!target.matches?.("[data-upload]")) return;
    const chosen = [...target.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
    // The same choice again is a choice again.
    target.value = "";
    hand(chosen);
  });

  const wait = (text) => Number(text) || 0;
  // What an answer says, in words: three for each file, the hashes that are missing, or why not. Nothing, where it is not ours.
  const said = (text) => {
    try {
      const { assets, missing, detail } = JSON.parse(text);
      return missing ?? assets?.flatMap(({ status, name, reason }) => [status, name, reason ?? ""]) ?? [detail ?? ""];
    } catch {
      return undefined;
    }
  };
  async function fetched(key, patience, address, options) {
    const line = new AbortController();
    const silence = setTimeout(() => line.abort(), patience);
    lines.set(key, line);
    try {
      const answer = await fetch(address, { ...options, cache: "no-store", signal: line.signal });
      return [answer.status, wait(answer.headers.get("retry-after")), said(await answer.text())];
    } catch {
      return [0, 0];
    } finally {
      clearTimeout(silence);
      lines.delete(key);
    }
  }

  globalThis.uploads = {
    listen(taker) {
      take = taker;
      for (const folder of document.querySelectorAll("[data-upload=folder]")) folder.webkitdirectory = true;
      for (const found of early) take(...found);
      early = [];
    },
    hashes: () => Boolean(globalThis.crypto?.subtle),
    async hash(number) {
      const hash = await crypto.subtle.digest("SHA-256", await files[number].arrayBuffer());
      return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
    // Each answers with status (0: none came), seconds to wait, and words; none ever fails.
    send: (key, number, address, subject, kind) =>
      new Promise((done) => {
        const form = new FormData();
        form.append("subject", subject);
        form.append("kind", kind);
        form.append("file", files[number]);
        const line = new XMLHttpRequest();
        let silence;
        const heard = () => {
          clearTimeout(silence);
          silence = setTimeout(() => line.abort(), SILENCE);
        };
        line.upload.onprogress = ({ loaded }) => {
          gone.set(key, loaded);
          heard();
        };
        line.onloadend = () => {
          clearTimeout(silence);
          lines.delete(key);
          gone.delete(key);
          done([line.status, wait(line.getResponseHeader("retry-after")), said(line.responseText)]);
        };
        heard();
        lines.set(key, line);
        line.open("POST", address);
        line.send(form);
      }),
    ask: (key, address, subject, kind, about, list, patience) =>
      fetched(key, patience, address, {
        method: "POST",
        body: JSON.stringify({ subject, kind, [about]: list }),
        headers: { "content-type": "application/json" },
      }),
    look: (patience) => fetched("look", patience, "/api/health"),
    sent: (key) => gone.get(key) ?? 0,
    stop: (key) => lines.get(key)?.abort(),
    forget(number) {
      delete files[number];
    },
  };
}
