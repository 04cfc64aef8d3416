/** Tokens of a statement: words, names with their schema, and marks; strings, comments and numbers say nothing of tables. */
const tokensOf = (sql: string): string[] =>
  sql.replace(/--[^\n]*/g, ' ').replace(/'(?:[^']|'')*'/g, " '' ").replaceAll('[', '(').replaceAll(']', ')').replaceAll('public.', '').toLowerCase().match(/[a-z_][a-z0-9_.$]*|''|[(),;]/g) ?? [];

/** A table as a statement has it in one place. */
interface TableReference {
  table: string;
  alias: string;
  /** Written by the statement, and so locked: the table of an UPDATE or DELETE. */
  written: boolean;
}

/** One SELECT, UPDATE, DELETE or INSERT of a statement, without those that are nested in it. */
interface Level {
  places: TableReference[];
  /** Aliases that a locking clause names; `all` for one that names none. */
  locks: Set<string> | 'all' | undefined;
  /** Whether its FROM has begun and not ended: a comma is followed by a table. */
  inTableList: boolean;
}

/** What a statement locks, and what it reads without a lock. */
export interface Locking {
  locks: boolean;
  /** Tables that are read where they are not locked, each once, in order of their names. */
  unlocked: string[];
}

const afterTable = new Set(['where', 'set', 'on', 'join', 'left', 'right', 'inner', 'cross', 'full', 'lateral', 'using', 'order', 'group', 'limit', 'offset', 'for', 'returning', 'union', 'values',
  'select', 'having', 'with', 'natural', 'window', 'fetch', 'except', 'intersect', 'skip']);
const endsList = new Set(['where', 'set', 'order', 'group', 'limit', 'offset', 'for', 'returning', 'having', 'window', 'select']);
const lockWords = /^(?:no key update|update|key share|share)/;

/** Reads the places and locks of a statement, level by level: a parenthesis opens one, and so does each part of a UNION. */
class Reader {
  readonly levels: Level[] = [];
  private readonly named = new Set<string>();
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {
    // `name AS (` names what the statement makes itself, with columns too: what is read of it is no table.
    tokens.forEach((token, nth) => {
      if (tokens[nth + 1] === 'as' && (tokens[nth + 2] === '(' || tokens[nth + 2] === 'materialized' || tokens[nth + 2] === 'not')) this.named.add(token);
    });
    this.level();
  }

  private peek(ahead = 0): string {
    return this.tokens[this.at + ahead] ?? '';
  }

  private level(): void {
    let level: Level = { places: [], locks: undefined, inTableList: false };
    this.levels.push(level);
    while (this.at < this.tokens.length && this.peek() !== ')') {
      const word = this.peek();
      this.at += 1;
      if (endsList.has(word)) level.inTableList = false;
      if (word === '(') {
        this.level();
        this.at += 1;
      } else if (['union', 'except', 'intersect', ';'].includes(word)) {
        level = { places: [], locks: undefined, inTableList: false };
        this.levels.push(level);
      } else if (word === 'for' && lockWords.test([0, 1, 2].map((ahead) => this.peek(ahead)).join(' '))) this.lock(level);
      else this.places(level, word);
    }
  }

  /** FOR [NO KEY] UPDATE | [KEY] SHARE [OF alias, …]. */
  private lock(level: Level): void {
    while (['no', 'key', 'update', 'share'].includes(this.peek())) this.at += 1;
    if (this.peek() !== 'of') {
      level.locks = 'all';
      return;
    }
    do {
      this.at += 1;
      if (level.locks !== 'all') level.locks = new Set([...(level.locks ?? []), this.peek()]);
      this.at += 1;
    } while (this.peek() === ',');
  }

  private places(level: Level, word: string): void {
    const before = this.tokens[this.at - 2] ?? '';
    if (word === 'update' && before !== 'do' && this.peek() !== ',') this.place(level, true);
    else if (word === 'from' && before === 'distinct') return;
    else if (word === 'from' || (word === 'using' && this.peek() !== '(')) {
      level.inTableList = true;
      this.place(level, before === 'delete');
    } else if (word === 'join' || (word === ',' && level.inTableList)) this.place(level, false);
  }

  /** A table with its alias; what is nested, a function, or made by the statement itself is none. */
  private place(level: Level, written: boolean): void {
    while (this.peek() === 'only' || this.peek() === 'lateral') this.at += 1;
    if (this.peek() === '(') {
      this.at += 1;
      this.level();
      this.at += 1;
      this.alias();
      return;
    }
    const table = this.peek();
    if (table === 'rows' || this.peek(1) === '(') return;
    this.at += 1;
    const alias = this.alias() ?? table;
    if (!this.named.has(table)) level.places.push({ table, alias, written });
  }

  private alias(): string | undefined {
    if (this.peek() === 'as') this.at += 1;
    const word = this.peek();
    if (!/^[a-z_]/.test(word) || afterTable.has(word)) return undefined;
    this.at += 1;
    return word;
  }
}

/** What a statement locks, by FOR … and by writing, and which tables it reads where it locks them not. */
export function lockingOf(sql: string): Locking {
  const { levels } = new Reader(tokensOf(sql));
  const upserts = /on\s+conflict[^]*?do\s+update/i.test(sql);
  const isLocked = ({ locks }: Level, { alias, written }: TableReference): boolean => written || locks === 'all' || locks?.has(alias) === true;
  const unlocked = levels.flatMap((level) => level.places.filter((place) => !isLocked(level, place)).map(({ table }) => table));
  return {
    locks: upserts || levels.some(({ places, locks }) => locks !== undefined || places.some(({ written }) => written)),
    unlocked: [...new Set(unlocked)].sort(),
  };
}
