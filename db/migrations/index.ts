import { Foundation1795132800000 } from './1795132800000-foundation';
import { Recovery1795305600000 } from './1795305600000-recovery';
import { Replays1795392000000 } from './1795392000000-replays';
import { Retention1795478400000 } from './1795478400000-retention';
import { Exams1795564800000 } from './1795564800000-exams';
import { Submissions1795651200000 } from './1795651200000-submissions';
import { Money1795737600000 } from './1795737600000-money';
import { Guardians1795824000000 } from './1795824000000-guardians';
import { Alpha1795910400000 } from './1795910400000-alpha';
import { Audit1795996800000 } from './1795996800000-audit';
import { Devices1796083200000 } from './1796083200000-devices';
import { Developers1796169600000 } from './1796169600000-developers';
import { ProgressKept1796256000000 } from './1796256000000-progress-kept';

/** Every migration, in the order in which it runs. */
export const migrations = [
  Foundation1795132800000, Recovery1795305600000, Replays1795392000000, Retention1795478400000, Exams1795564800000, Submissions1795651200000,
  Money1795737600000, Guardians1795824000000, Alpha1795910400000, Audit1795996800000, Devices1796083200000, Developers1796169600000,
  ProgressKept1796256000000,
];
