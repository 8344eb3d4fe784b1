import { follow } from "../../ads/serving/send-tracking.ts";
import type { TestOffer } from "../../ads/serving/make-offers.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Visitors who see ads and click on them. */
export type ClickLoad = {
  /** Offers whose click was answered with a redirect. */
  redirected: Set<string>;
  /** Answers other than a redirect or a pixel, by status. */
  others: Map<number, number>;
  /** Resolves when every offer was clicked or every client was cut. */
  ended: Promise<void>;
};

export function startClickLoad(settings: {
  nodes: () => { url: string }[];
  offers: readonly TestOffer[];
  people: number;
  random: SeededRandom;
  /** Whether a client that is cut stops, or continues with the next ad. */
  endsWhenCut: boolean;
  /** Consecutive clicks on each ad, as by impatient visitors. */
  clicksEach?: number;
}): ClickLoad {
  const { offers, random, clicksEach = 1 } = settings;
  const redirected = new Set<string>();
  const others = new Map<number, number>();
  let next = 0;

  async function call(path: string): Promise<number> {
    const nodes = settings.nodes();
    const { status } = await follow(nodes[random.between(0, nodes.length - 1)]!, path);
    if (status !== 302 && status !== 200) others.set(status, (others.get(status) ?? 0) + 1);
    return status;
  }

  async function lookAndClick(offer: TestOffer): Promise<void> {
    const see = () => (offer.impressed_at === null ? call(offer.impressionPath) : Promise.resolve(200));
    const click = async () => {
      for (let clicks = 0; clicks < clicksEach; clicks += 1) if ((await call(offer.clickPath)) === 302) redirected.add(offer.id);
    };
    // Requests of one page may overtake each other.
    if (random.isTrue(0.5)) {
      await see();
      await click();
    } else {
      await Promise.all([click(), see()]);
    }
  }

  async function person(): Promise<void> {
    for (let offer = offers[next++]; offer; offer = offers[next++]) {
      const wasCut = await lookAndClick(offer).then(
        () => false,
        () => true,
      );
      if (wasCut && settings.endsWhenCut) return;
    }
  }

  const ended = Promise.all(Array.from({ length: settings.people }, person)).then(() => {});
  return { redirected, others, ended };
}
