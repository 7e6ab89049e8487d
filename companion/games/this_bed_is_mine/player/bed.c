/* The search of plain.py and position.py, step by step: what each step is for, they say. `tests/test_player.py`
 * compares the two. Sets of squares and of placements are words of 64 bits. Memory comes from the caller. */

#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("popcnt")
#endif

typedef uint64_t word;

enum { CAT, DOG };
enum { INFINITE = 1 << 30, END = 64, EXACT = 255, REPLIES = 48, CHECK = 256, KINDS = 3, SPARE = 1 << 14 };
enum { SIZES = 5, MARGINS = 3, LANDS = SIZES * MARGINS, TURN = 0, LAND, TOYS = LAND + LANDS, MOBILITY = TOYS + KINDS, ROOM };
enum { FEATURES = ROOM + 9, KNOTS = 8, PARTS = 1024 };

/* As `compiled.py` describes it, field by field. */
typedef struct {
    int32_t count, squares, places, stride, digits, kinds, corners, most_toys;
    int32_t point, bonus_points, smallest, sizes[SIZES], margins[MARGINS], knots[KNOTS], weights[KNOTS][FEATURES], digit[16], starts[17];
    const word *masks, *beside, *excluded, *first[2], *toys;
    const uint8_t *digit_of;
    const int32_t *logs;
} Plan;

typedef struct { int32_t number, worth, points, mine, theirs; } Child;

typedef struct { int32_t points, land, toys[KINDS]; uint32_t touch; } Region;  /* its squares follow */

typedef struct {
    word *free, *alive;
    Region *regions;
    int32_t count, laid;
    int32_t tiles[32];
    int32_t hands[2], bound[2], points, lands[LANDS], toys[KINDS];
    word key;
} Position;

typedef struct { word key; int32_t low, high; int16_t hint; uint8_t effort, used; } Known;

typedef struct {
    const Plan *plan;
    int32_t (*over)(int32_t);
    char *memory, *end;
    Known *known;
    int32_t slots, remembered, kept, pending, is_over, plies;
    int32_t widths[8], width_count;
    int32_t replies[2][REPLIES], reply_count[2];
    Position root;
    int32_t side;
} Engine;

static void *take(Engine *e, long bytes) {
    char *here = e->memory;
    e->memory += (bytes + 7) & ~7L;
    if (e->memory > e->end) e->is_over = 1, e->memory = here;
    return here;
}

static int count_of(const word *some, int words) {
    int bits = 0;
    for (int w = 0; w < words; w++) bits += __builtin_popcountll(some[w]);
    return bits;
}

static int common(const word *some, const word *other, int words) {
    for (int w = 0; w < words; w++)
        if (some[w] & other[w]) return 1;
    return 0;
}

static int least(int a, int b) { return a < b ? a : b; }
static int sign_of(int a) { return (a > 0) - (a < 0); }
static word *squares_of(Region *region) { return (word *)(region + 1); }
static Region *next(const Plan *p, Region *region) { return (Region *)(squares_of(region) + p->squares); }

/* Takes from `rest` the squares that are joined to its first one. A row is shorter than a word. */
static void take_piece(const Plan *p, word *rest, word *piece) {
    int n = p->squares, row = p->stride, first = 0, up = 1;
    while (!rest[first]) first++;
    for (int w = 0; w < n; w++) piece[w] = 0;
    piece[first] = rest[first] & -rest[first];
    for (int grew = 1; grew; up = !up) {
        grew = 0;
        for (int step = first; step < n; step++) {
            int w = up ? step : n - 1 - (step - first);
            word low = w > first ? piece[w - 1] : 0, high = w + 1 < n ? piece[w + 1] : 0, was, now = piece[w];
            word from = (low >> 63 | high << 63 | low >> (64 - row) | high << (64 - row)) & rest[w];
            if (!now && !from) continue;
            word before = now;
            now |= from;
            do {
                was = now;
                now |= (now << 1 | now >> 1 | now << row | now >> row) & rest[w];
            } while (now != was);
            if (now != before) piece[w] = now, grew = 1;
        }
    }
    for (int w = 0; w < n; w++) rest[w] &= ~piece[w];
}

static int signed_digit(const Plan *p, int tile) {
    int digit = p->digit[p->digit_of[tile >> 1]];
    return tile & 1 ? -digit : digit;
}

/* The class of a number, by the least number of each. */
static int class_of(const int32_t *least_of, int classes, int number) {
    int n = classes - 1;
    while (n && number < least_of[n]) n--;
    return n;
}

/* What a piece is worth, with these of the position's tiles and one more (-1: none) beside it. */
static void weigh_piece(const Plan *p, const Position *at, const word *piece, uint32_t tiles, int more, Region *to) {
    int size = count_of(piece, p->squares), ahead = 0;
    to->points = to->land = to->touch = 0;
    for (int k = 0; k < KINDS; k++) to->toys[k] = 0;
    for (int t = 0; t < at->laid; t++)
        if (tiles >> t & 1 && common(piece, p->beside + (long)(at->tiles[t] >> 1) * p->squares, p->squares)) {
            ahead += signed_digit(p, at->tiles[t]);
            to->touch |= 1u << t;
        }
    if (more >= 0 && common(piece, p->beside + (long)(more >> 1) * p->squares, p->squares)) {
        ahead += signed_digit(p, more);
        to->touch |= 1u << at->laid;
    }
    if (size < p->smallest || !ahead) return;
    int owner = sign_of(ahead);
    to->points = owner * size;
    to->land = MARGINS * class_of(p->sizes, SIZES, size) + class_of(p->margins, MARGINS, ahead * owner);
    for (int k = 0; k < p->kinds; k++) {
        int toys = 0;
        for (int w = 0; w < p->squares; w++) toys += __builtin_popcountll(piece[w] & p->toys[k * p->squares + w]);
        to->toys[k] = owner * least(toys, p->most_toys);
    }
}

static void add(Position *to, const Region *region, int times) {
    to->points += times * region->points;
    to->lands[region->land] += times * region->points;
    for (int k = 0; k < KINDS; k++) to->toys[k] += times * region->toys[k];
}

static word mixed(word x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* The points, territory and toys after one more tile; with `made`, its regions too. */
static void regions_after(Engine *e, const Position *at, int tile, Position *to, int made) {
    const Plan *p = e->plan;
    const word *mask = p->masks + (long)(tile >> 1) * p->squares, *beside = p->beside + (long)(tile >> 1) * p->squares;
    word rest[p->squares], space[sizeof(Region) / 8 + p->squares];
    Region *piece = (Region *)space;
    Region *region = at->regions;
    to->points = at->points;
    for (int l = 0; l < LANDS; l++) to->lands[l] = at->lands[l];
    for (int k = 0; k < KINDS; k++) to->toys[k] = at->toys[k];
    if (made) to->regions = (Region *)e->memory, to->count = 0;
    for (int r = 0; r < at->count; r++, region = next(p, region)) {
        word *squares = squares_of(region);
        int touched = common(squares, mask, p->squares) || (p->corners && common(squares, beside, p->squares));
        if (touched) {
            int left = 0;
            add(to, region, -1);
            for (int w = 0; w < p->squares; w++) left |= (rest[w] = squares[w] & ~mask[w]) != 0;
            while (left) {
                take_piece(p, rest, squares_of(piece));
                weigh_piece(p, at, squares_of(piece), region->touch, tile, piece);
                add(to, piece, 1);
                if (made && count_of(squares_of(piece), p->squares) >= p->smallest) {
                    Region *kept = take(e, sizeof(Region) + 8L * p->squares);
                    *kept = *piece;
                    for (int w = 0; w < p->squares; w++) squares_of(kept)[w] = squares_of(piece)[w];
                    to->count++;
                }
                left = 0;
                for (int w = 0; w < p->squares; w++) left |= rest[w] != 0;
            }
            if (!made && !p->corners) return;
        } else if (made) {
            Region *kept = take(e, sizeof(Region) + 8L * p->squares);
            *kept = *region;
            for (int w = 0; w < p->squares; w++) squares_of(kept)[w] = squares[w];
            to->count++;
        }
    }
}

static void after(Engine *e, const Position *at, int side, int number, Position *to) {
    const Plan *p = e->plan;
    *to = *at;
    to->free = take(e, 8L * p->squares);
    to->alive = take(e, 8L * p->places);
    for (int w = 0; w < p->squares; w++) to->free[w] = at->free[w] & ~p->masks[(long)number * p->squares + w];
    for (int w = 0; w < p->places; w++) to->alive[w] = at->alive[w] & ~p->excluded[(long)number * p->places + w];
    to->hands[side] &= ~(1 << p->digit_of[number]);
    to->bound[side] = 0;
    to->key ^= mixed(2 * (word)number + side);
    regions_after(e, at, 2 * number + side, to, 1);
    to->tiles[to->laid++] = 2 * number + side;
}

/* The placements of a side in a word of a digit. */
static word placements(const Plan *p, const Position *at, int side, int digit, int w) {
    if (!(at->hands[side] >> digit & 1)) return 0;
    return at->bound[side] ? at->alive[w] & p->first[side][w] : at->alive[w];
}

static int can_lay(const Plan *p, const Position *at, int side) {
    for (int d = 0; d < p->digits; d++)
        for (int w = p->starts[d]; w < p->starts[d + 1]; w++)
            if (placements(p, at, side, d, w)) return 1;
    return 0;
}

static int turn_of(const Plan *p, const Position *at) {
    int laid[2] = {0, 0};
    for (int t = 0; t < at->laid; t++) laid[at->tiles[t] & 1]++;
    int first = laid[DOG] < laid[CAT] ? DOG : CAT;
    return can_lay(p, at, first) ? first : 1 - first;
}

/* The worth to the side that laid, by the weights of the knots around the placements left. */
static int32_t prospects(const Plan *p, const int32_t *features, int left) {
    int32_t x = p->logs[left], k = 0;
    int64_t low = 0, high = 0, part;
    x = x < p->knots[0] ? p->knots[0] : least(x, p->knots[KNOTS - 1]);
    while (k < KNOTS - 2 && p->knots[k + 1] <= x) k++;
    for (int f = 0; f < FEATURES; f++) {
        low += (int64_t)features[f] * p->weights[k][f];
        high += (int64_t)features[f] * p->weights[k + 1][f];
    }
    part = (int64_t)(x - p->knots[k]) * PARTS / (p->knots[k + 1] - p->knots[k]);
    int64_t sum = low * (PARTS - part) + high * part, whole = 1000LL * PARTS;
    return (int32_t)(sum / whole - (sum % whole < 0));
}

static void weigh_child(Engine *e, const Position *at, int side, int number, Child *child) {
    const Plan *p = e->plan;
    const word *excluded = p->excluded + (long)number * p->places;
    int sign = side == CAT ? 1 : -1, mine = 0, theirs = 0, bonus = 0, laid = 1;
    int32_t features[FEATURES] = {0};
    Position to;
    int own = at->hands[side] & ~(1 << p->digit_of[number]), other = at->hands[1 - side];
    for (int d = 0; d < p->digits; d++) {
        if (!((own | other) >> d & 1)) continue;
        int count = 0;
        for (int w = p->starts[d]; w < p->starts[d + 1]; w++) count += __builtin_popcountll(at->alive[w] & ~excluded[w]);
        if (own >> d & 1) mine += count;
        if (other >> d & 1 && at->bound[1 - side]) {
            for (int w = p->starts[d]; w < p->starts[d + 1]; w++)
                theirs += __builtin_popcountll(at->alive[w] & ~excluded[w] & p->first[1 - side][w]);
        } else if (other >> d & 1) {
            theirs += count;
        }
        features[ROOM + least(p->digit[d], 9) - 1] += ((own >> d & 1) - (other >> d & 1)) * p->logs[count];
    }
    regions_after(e, at, 2 * number + side, &to, 0);
    for (int k = 0; k < p->kinds; k++) bonus += sign_of(to.toys[k]);
    child->number = number;
    child->points = sign * (to.points + p->bonus_points * bonus);
    child->mine = mine;
    child->theirs = theirs;
    if (!mine && !theirs) {
        child->worth = p->point * child->points;
        return;
    }
    for (int t = 0; t < at->laid; t++) laid += (at->tiles[t] & 1) == side ? 1 : -1;
    features[TURN] = (mine && theirs ? laid < 0 || (!laid && side == CAT) : mine > 0) ? 1000 : -1000;
    for (int l = 0; l < LANDS; l++) features[LAND + l] = 1000 * sign * to.lands[l];
    for (int k = 0; k < p->kinds; k++)
        if (to.toys[k]) features[TOYS + least(to.toys[k] * sign_of(to.toys[k]), KINDS) - 1] += 1000 * sign * sign_of(to.toys[k]);
    features[MOBILITY] = p->logs[mine] - p->logs[theirs];
    child->worth = prospects(p, features, mine + theirs);
}

static void spend(Engine *e, int nodes) {
    e->pending += nodes;
    if (e->pending >= CHECK) {
        e->is_over |= e->over(e->pending);
        e->pending = 0;
    }
}

static int generation(Engine *e, const Position *at, int side, Child *children) {
    const Plan *p = e->plan;
    int count = 0;
    for (int d = 0; d < p->digits; d++)
        for (int w = p->starts[d]; w < p->starts[d + 1]; w++)
            for (word left = placements(p, at, side, d, w); left; left &= left - 1)
                weigh_child(e, at, side, 64 * w + __builtin_ctzll(left), &children[count++]);
    return count;
}

/* The order of the children, best first, and by number where they are worth the same. */
static void sort(Child *children, int count) {
    for (int gap = count / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int n = gap; n < count; n++) {
            Child child = children[n];
            int to = n;
            for (; to >= gap; to -= gap) {
                Child *before = &children[to - gap];
                if (before->worth > child.worth || (before->worth == child.worth && before->number < child.number)) break;
                children[to] = *before;
            }
            children[to] = child;
        }
}

static Known *slot_of(Engine *e, word key) {
    word n = key & (word)(e->slots - 1);
    while (e->known[n].used && e->known[n].key != key) n = (n + 1) & (word)(e->slots - 1);
    return &e->known[n];
}

static int value(Engine *e, const Position *at, int side, int depth, int alpha, int beta, int *exact);

static int of_child(Engine *e, const Position *parent, int side, const Child *child, int depth, int alpha, int beta, int *exact) {
    *exact = !child->mine && !child->theirs;
    if (*exact || depth >= e->plies) return child->worth;
    char *memory = e->memory;
    Position position;
    after(e, parent, side, child->number, &position);
    if (e->is_over) return 0;
    int turn = turn_of(e->plan, &position);
    int worth = turn == side ? value(e, &position, turn, depth, alpha, beta, exact)
                             : -value(e, &position, turn, depth, -beta, -alpha, exact);
    e->memory = memory;
    return worth;
}

static int best_of(Engine *e, const Position *at, int side, int depth, int alpha, int beta, int *hint, int *exact) {
    int best = -INFINITE, move = *hint, tried = *hint, is_exact;
    *exact = 1;
    if (tried >= 0) {
        Child child;
        spend(e, 1);
        weigh_child(e, at, side, tried, &child);
        best = of_child(e, at, side, &child, depth + 1, alpha, beta, exact);
        if (best >= beta || e->is_over) return best;
    }
    char *memory = e->memory;
    Child *children = (Child *)e->memory;
    int count = generation(e, at, side, children);
    spend(e, count);
    sort(children, count);
    int width = e->widths[least(depth, e->width_count - 1)];
    *exact = *exact && count <= width;
    count = least(count, width);
    take(e, count * (long)sizeof(Child));
    for (int n = 0; n < count && !e->is_over; n++) {
        if (children[n].number == tried) continue;
        int worth = of_child(e, at, side, &children[n], depth + 1, alpha > best ? alpha : best, beta, &is_exact);
        *exact = *exact && is_exact;
        if (worth > best) {
            best = worth, move = children[n].number;
            if (best >= beta) {
                *exact = is_exact;
                break;
            }
        }
    }
    e->memory = memory;
    *hint = move;
    return best;
}

static void remember_reply(Engine *e, int side, int number) {
    int32_t *replies = e->replies[side], n = 0;
    while (n < e->reply_count[side] && replies[n] != number) n++;
    if (n == e->reply_count[side] && n < REPLIES) e->reply_count[side]++;
    for (n = least(n, REPLIES - 1); n; n--) replies[n] = replies[n - 1];
    replies[0] = number;
}

static int at_last_ply(Engine *e, const Position *at, int side, int beta, int *hint, int *exact) {
    const Plan *p = e->plan;
    Child best = {-1, -INFINITE, 0, 0, 0}, child, *children = (Child *)e->memory;
    if (beta < INFINITE && e->reply_count[side]) {
        int some = 0;
        for (int n = 0; n < e->reply_count[side]; n++) {
            int number = e->replies[side][n];
            if (!(placements(p, at, side, p->digit_of[number], number / 64) >> number % 64 & 1)) continue;
            some++;
            weigh_child(e, at, side, number, &child);
            if (child.worth > best.worth) best = child;
        }
        if (some) spend(e, some);
        if (some && best.worth >= beta) {
            remember_reply(e, side, best.number);
            *exact = !best.mine && !best.theirs, *hint = best.number;
            return best.worth;
        }
    }
    int count = generation(e, at, side, children);
    spend(e, count);
    best.worth = -INFINITE, *exact = 1;
    for (int n = 0; n < count; n++) {
        if (children[n].mine || children[n].theirs) *exact = 0;
        if (children[n].worth > best.worth) best = children[n];
    }
    remember_reply(e, side, best.number);
    *hint = best.number;
    return best.worth;
}

static int value(Engine *e, const Position *at, int side, int depth, int alpha, int beta, int *exact) {
    int effort = e->plies >= END ? e->plies : e->plies - depth, hint = -1, best;
    Known *known = slot_of(e, at->key);
    if (known->used) {
        hint = known->hint;
        if (known->effort >= effort) {
            *exact = known->effort == EXACT;
            if (known->low >= beta || known->low == known->high) return known->low;
            if (known->high <= alpha) return known->high;
            if (known->low > alpha) alpha = known->low;
            if (known->high < beta) beta = known->high;
        }
    }
    best = depth + 1 == e->plies ? at_last_ply(e, at, side, beta, &hint, exact)
                                 : best_of(e, at, side, depth, alpha, beta, &hint, exact);
    if (e->is_over) return 0;
    int by = *exact ? EXACT : effort;
    known = slot_of(e, at->key);
    if ((!known->used && e->kept < e->remembered) || (known->used && known->effort <= by)) {
        e->kept += !known->used;
        *known = (Known){at->key, best > alpha ? best : -INFINITE, best < beta ? best : INFINITE, (int16_t)hint, (uint8_t)by, 1};
    }
    return best;
}

/* What `compiled.py` calls. */

int32_t bed_engine_bytes(void) { return sizeof(Engine); }

void bed_begin(Engine *e, const Plan *plan, int32_t (*over)(int32_t), char *memory, int64_t bytes, int32_t slots,
               int32_t remembered, const word *free, const word *alive, const int32_t *tiles, int32_t laid,
               const int32_t *hands, const int32_t *bound, int32_t side) {
    Position *root = &e->root;
    e->plan = plan, e->over = over, e->slots = slots, e->remembered = remembered, e->side = side;
    e->known = (Known *)memory;
    e->memory = memory + slots * sizeof(Known);
    e->end = memory + bytes - SPARE - plan->count * (long)sizeof(Child);
    root->free = take(e, 8L * plan->squares);
    root->alive = take(e, 8L * plan->places);
    for (int w = 0; w < plan->squares; w++) root->free[w] = free[w];
    for (int w = 0; w < plan->places; w++) root->alive[w] = alive[w];
    root->laid = laid;
    for (int t = 0; t < laid; t++) root->tiles[t] = tiles[t], root->key ^= mixed((word)tiles[t]);
    for (int n = 0; n < 2; n++) root->hands[n] = hands[n], root->bound[n] = bound[n];
    word rest[plan->squares];
    int left = 0;
    for (int w = 0; w < plan->squares; w++) left |= (rest[w] = free[w]) != 0;
    root->regions = (Region *)e->memory;
    while (left) {
        Region *region = take(e, sizeof(Region) + 8L * plan->squares);
        take_piece(plan, rest, squares_of(region));
        weigh_piece(plan, root, squares_of(region), ~0u, -1, region);
        add(root, region, 1);
        root->count++;
        left = 0;
        for (int w = 0; w < plan->squares; w++) left |= rest[w] != 0;
    }
}

int32_t bed_children(Engine *e, Child *children) { return generation(e, &e->root, e->side, children); }

/* 0 if the budget ran out, 1 for a worth, 2 for an exact one. */
int32_t bed_weigh(Engine *e, int32_t number, int32_t plies, const int32_t *widths, int32_t count, int32_t lowest, int32_t *worth) {
    Child child;
    int exact;
    char *memory = e->memory;
    e->plies = plies, e->width_count = count;
    for (int n = 0; n < count; n++) e->widths[n] = widths[n];
    weigh_child(e, &e->root, e->side, number, &child);
    *worth = of_child(e, &e->root, e->side, &child, 1, lowest, INFINITE, &exact);
    e->memory = memory;
    return e->is_over ? 0 : 1 + exact;
}
