{
  const letters = { ß: "ss", æ: "ae", ø: "o", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
  const slug = (text) =>
    text.toLowerCase().replace(/[ßæøœłđðþı]/g, (letter) => letters[letter]).normalize("NFKD").replace(/\p{M}/gu, "")
      .replace(/[^a-z0-9]+/g, "-").replace(/^-/, "").slice(0, 64);
  const whole = (text) => slug(text).replace(/-$/, "");
  // Before anybody else hears of it: what they read is a short name already.
  addEventListener("input", ({ target, isComposing }) => {
    if (isComposing || !target.matches?.("input")) return;
    if (target.matches("[data-slug]")) {
      const now = slug(target.value);
      if (now !== target.value) target.value = now;
      // Emptied, it follows its source again.
      target.dataset.slug = now && "own";
      return;
    }
    const follower = target.form?.querySelector(`[data-slug-of="${target.name}"]`);
    if (follower && follower.dataset.slug !== "own") follower.value = whole(target.value);
  }, true);
  addEventListener("change", ({ target }) => {
    if (target.matches?.("[data-slug]")) target.value = whole(target.value);
  }, true);
  // A name that came back with the form is the person's own.
  addEventListener("DOMContentLoaded", () => {
    for (const field of document.querySelectorAll("[data-slug]")) if (field.value) field.dataset.slug = "own";
  });
}
