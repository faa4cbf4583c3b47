// How many pictures a browser loads at once. Over HTTP/1.1 it has six connections to a server, all tabs together, and what a
// person does must never wait for one: so pictures share three, across the tabs where the browser lets us ask (over https and
// on this machine), those nearest to the screen first.
{
  const over = performance.getEntriesByType("navigation")[0]?.nextHopProtocol ?? "";
  const many = /^h[23]/.test(over);
  const lanes = many ? 16 : 3;
  const waiting = new Map();
  const loading = new Map();
  const idle = new Set(Array.from({ length: lanes }, (_, lane) => lane));

  const far = (image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return Math.max(0, top - innerHeight, -bottom);
  };
  const load = () =>
    new Promise((done) => {
      let [nearest, least] = [undefined, Infinity];
      for (const image of waiting.keys()) {
        const distance = far(image);
        if (distance < least) [nearest, least] = [image, distance];
      }
      if (!nearest) return done();
      const turn = waiting.get(nearest);
      waiting.delete(nearest);
      loading.set(nearest, done);
      // Whoever has a turn uses it.
      nearest.loading = "eager";
      turn();
    });
  async function drive(lane) {
    idle.delete(lane);
    while (waiting.size) await (navigator.locks ? navigator.locks.request(`avatars-picture-${lane}`, load).catch(load) : load());
    idle.add(lane);
  }

  globalThis.lanes = {
    // Calls `turn` when it is the picture's turn, which lasts until it is left. What the browser has begun by itself before the
    // page was awake has its turn at once, as far as there are lanes.
    enter(image, turn, begun) {
      const [lane] = idle;
      if (begun && lane !== undefined) {
        idle.delete(lane);
        loading.set(image, () => drive(lane));
        image.loading = "eager";
        return turn();
      }
      waiting.set(image, turn);
      for (const lane of idle) void Promise.resolve().then(() => idle.has(lane) && drive(lane));
    },
    leave(image) {
      waiting.delete(image);
      loading.get(image)?.();
      loading.delete(image);
    },
  };
}
