// Two people open two batches of 150 at the same moment, and no thumbnail has been rendered yet.
import { Studio } from '../studio.mjs';
import { ask, keeping } from '../requests.mjs';
import { Tally } from '../statistics.mjs';

export const title = '2 × 150 cold thumbnails at once';

export async function storm(run) {
  const studio = await Studio.serve(run.data, { cold: true });
  const tally = new Tally();
  const people = [await studio.signIn('rowan'), await studio.signIn('vera')];
  const began = performance.now();
  await Promise.all(
    studio.batches.flatMap(({ family, assets }) => {
      const cookie = people[family === 'lindqvist' ? 0 : 1];
      const agent = keeping();
      const asked = assets.slice(0, run.quick ? 50 : 150).map(async (asset) => {
        const answer = await ask(studio.thumbnail(asset), { agent, cookie });
        tally.add(answer.status === 200 && answer.bytes < 500 ? { ...answer, failure: 'too small' } : answer);
      });
      return [Promise.all(asked).finally(() => agent.destroy())];
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  run.expect(title, (await studio.watch.settled()) && 'settled', 'slots and descriptors are back');
  run.expect(title, tally.unexpected(200).length === 0, `every answer is 200: ${tally}`);
  run.row(title, tally, await studio.watch.held(), `all there in ${seconds.toFixed(1)} s`);
  await studio.stop();
}
