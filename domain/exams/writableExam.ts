import type { AiPolicy, ExamType, Proctoring } from '../../db/repositories/exams/columns';
import type { CodeSpecInput } from './codeSpec';

/** Fields that may be absent. */
export type OptionalFields<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined };

/** The fields of an exam that an integrator can write (section Exam). */
export interface WritableExam {
  faculty_id: string;
  title: string;
  exam_type: ExamType;
  max_score: number;
  due_date: Date | null;
  time_limit_minutes: number | null;
  allow_late_submission: boolean;
  late_penalty_percentage: number;
  proctoring: OptionalFields<Proctoring>;
  ai_policy: OptionalFields<AiPolicy>;
  code_spec: CodeSpecInput | null;
}

/** Returns an object with the defined fields of `parts` replaced. */
export function mergeDefined<Whole extends object>(whole: Whole, parts: OptionalFields<Whole> | undefined): Whole {
  const defined = Object.entries(parts ?? {}).filter(([, value]) => value !== undefined);
  return { ...whole, ...Object.fromEntries(defined) };
}
