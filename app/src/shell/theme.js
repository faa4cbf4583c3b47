{
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem("avatars-theme"); } catch { return null; } };
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  if (kept()) root.dataset.theme = kept();
  addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-button]")) {
      delete button.dataset.unready;
      button.addEventListener("click", () => {
        root.dataset.theme = dark() ? "light" : "dark";
        try { localStorage.setItem("avatars-theme", root.dataset.theme); } catch { /* then for this page only */ }
      });
    }
  });
}
