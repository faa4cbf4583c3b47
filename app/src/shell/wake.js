const { js, wasm } = document.getElementById("wake").dataset;
const module = await import(js);
await module.default({ module_or_path: wasm });
module.hydrate();
for (const island of document.querySelectorAll("leptos-island")) {
  module[island.dataset.component](island);
}
document.documentElement.dataset.awake = "";
