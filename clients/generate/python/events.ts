import type { JsonSchema } from '../../../api/http/openapi/jsonSchema';
import { pythonText } from '../../../api/http/openapi/pythonNames';

/** A type of event and its class. */
interface EventClass {
  type: string;
  name: string;
}

const refName = ({ $ref }: JsonSchema): string | undefined => $ref?.split('/').at(-1);

/** Returns the classes of the union of events; undefined if the schema is no union whose members each have a constant `type`. */
export function eventClasses(schemas: Readonly<Record<string, JsonSchema>>): EventClass[] | undefined {
  const { oneOf, anyOf } = schemas.Event ?? {};
  const members = (oneOf ?? anyOf)?.flatMap((member) => {
    const name = refName(member);
    const type = schemas[name ?? '']?.properties?.type;
    const value = type?.const ?? (type?.enum?.length === 1 ? type.enum[0] : undefined);
    return name === undefined || typeof value !== 'string' ? [] : [{ type: value, name }];
  });
  return members === undefined || members.length === 0 ? undefined : members;
}

/** The name of the type of what the feed is asked for. */
export const eventPatternName = 'EventPattern';

/** Returns the type of what the feed is asked for: a type of events, or a family of them. */
export function eventPattern(patterns: readonly string[]): string {
  return `${eventPatternName} = Literal[\n${patterns.map((pattern) => `    ${pythonText(pattern)},\n`).join('')}]\n"""What \`type\` of the feed takes, and what an endpoint subscribes to: one type, one family of types, or all."""\n`;
}

/** Returns the union of all events, by their `type`; events of later releases are `UnknownEvent`. */
export function eventUnion(classes: readonly EventClass[]): string {
  return [
    `EventName = Literal[\n${classes.map(({ type }) => `    ${pythonText(type)},\n`).join('')}]\n"""The types of events."""\n\n`,
    'class UnknownEvent(Model):\n    """An event of a type that a later release of the service has added."""\n\n    id: str\n    type: str\n    created_at: datetime\n    institution_id: str\n    data: Any\n\n\n',
    `_EVENT_NAMES = frozenset((\n${classes.map(({ type }) => `    ${pythonText(type)},\n`).join('')}))\n\n\n`,
    'def _event_tag(value: Any) -> str:\n    name = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)\n    return name if name in _EVENT_NAMES else "unknown"\n\n\n',
    `Event = Annotated[\n${classes.map(({ type, name }, nth) => `    ${nth === 0 ? '' : '| '}Annotated[${name}, Tag(${pythonText(type)})]\n`).join('')}    | Annotated[UnknownEvent, Tag("unknown")],\n    Discriminator(_event_tag),\n]\n`,
    '"""What happened; tell events apart by class, with `match` or `isinstance`."""\n',
  ].join('');
}
