import type { Settings } from '../../config/settings';
import { startLoadBalancer } from './loadBalancer';
import type { Program, Programs } from './programs';

interface Member {
  api: Program;
  worker: Program;
}

/** A service of several API and worker processes behind one address, which are replaced one by one. */
export interface Rollout {
  /** The public API, ends with `/v1`. */
  baseUrl: string;
  /** The origin of the platform API and the console. */
  platformOrigin: string;
  /** Replaces every process by one with these settings: a new one is ready before the old one is asked to stop. Returns how each ended. */
  restart(settings: Settings): Promise<(number | null)[]>;
  end(): Promise<void>;
}

/** The ports that a service is reached at. */
export interface RolloutPorts {
  port: number;
  platformPort: number;
}

/** Starts so many processes of each kind with these settings behind these ports. */
export async function startRollout(programs: Programs, { port, platformPort }: RolloutPorts, size: number, settings: Settings): Promise<Rollout> {
  const [inPublic, inPlatform] = [await startLoadBalancer(port), await startLoadBalancer(platformPort)];
  const originOf = ({ api }: Member): readonly [string, string] => [new URL(api.baseUrl).origin, api.internalUrl];
  const startMember = async (given: Settings): Promise<Member> => {
    const [api, worker] = await Promise.all([programs.api(given), programs.worker(given)]);
    return { api, worker };
  };
  const publish = (members: readonly Member[]): void => {
    inPublic.origins.splice(0, inPublic.origins.length, ...members.map((member) => originOf(member)[0]));
    inPlatform.origins.splice(0, inPlatform.origins.length, ...members.map((member) => originOf(member)[1]));
  };
  let members: Member[] = [];
  for (let nth = 0; nth < size; nth += 1) members.push(await startMember(settings));
  publish(members);
  return {
    baseUrl: `http://127.0.0.1:${inPublic.port}/v1`,
    platformOrigin: `http://127.0.0.1:${inPlatform.port}`,
    restart: async (given) => {
      const codes: (number | null)[] = [];
      for (const old of [...members]) {
        members = [...members.filter((member) => member !== old), await startMember(given)];
        publish(members);
        const [publicOrigin, platformOrigin] = originOf(old);
        await Promise.all([inPublic.drained(publicOrigin), inPlatform.drained(platformOrigin)]);
        for (const { code } of await Promise.all([old.api.stop(), old.worker.stop()])) codes.push(code);
      }
      return codes;
    },
    end: async () => {
      await Promise.all([inPublic.close(), inPlatform.close()]);
    },
  };
}
