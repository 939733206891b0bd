"""Every fan of the Chinese Official table, and every ruling where calculators used to differ, on a hand with
a known answer."""

from __future__ import annotations

import pytest

from scoring import score
from scoring.rules.mcr.editions import EDITIONS, fan_table

# Examples of rule books and hands on which independent calculators agree: all fans of each, ×n where one
# counts n times.
ANSWERS = (
    ("22233334444sFF2s|EE1000|0", "绿一色 一色四同顺 不求人"),
    ("[234s,1]23466888sFF6s", "绿一色 一般高"),
    ("2233455667788s4s", "连七对 断幺"),
    ("[1111s][2222m][3333p][4444p]8s8s", "四杠 四暗刻 三色三节高 幺九刻 无字"),
    ("[CCC,1][PPP,1]5556sFFF4s", "大三元 混一色"),
    ("1112345678999m1m", "九莲宝灯 清龙 四归一"),
    ("[234s,1]22334666sFF4s", "绿一色 一色三同顺"),
    ("[EEE,1][WWW,1]99mSSSNNN", "大四喜 混幺九 混一色"),
    ("1122344556677s3s", "连七对"),
    ("19m19s19pESWNCFPN", "十三幺"),
    ("[EEE,1][WWW,1]SSSNNCCN", "大四喜 字一色"),
    ("1333m777s555pEEE1m|SS0000|0", "四暗刻 幺九刻"),
    ("1123355778899s2s", "一色双龙会 门前清 坎张"),
    ("[1111s][NNNN][2222m]3555p3p|NE0000|0", "四暗刻 三杠 圈风刻 幺九刻"),
    ("1122335778899p5p", "一色双龙会 门前清 单钓将"),
    ("EESSWWNNCFFPPC", "字一色 七对"),
    ("[111s,1][999s,1][999m,1]11m99p1m", "清幺九"),
    ("[EEE,1][WWW,1]567sSSNNN|SS0000|0", "小四喜 混一色"),
    ("[CCC,3][567m,1]345pFFPPP|WS0000|0", "小三元 缺一门"),
    ("[123s,1][789s,1][789s,1]2355s1s", "一色双龙会"),
    ("[666m,1][777m,1]55588m11s8m", "一色四节高 无字 缺一门"),
    ("[123m,1][345m,1]67789mCC5m|EE1000|0", "一色四步高 混一色 自摸"),
    ("[123s,1][222s,1]3334555s5s", "清一色 四归一×3"),
    ("[666p,2]678s77888pWW7p", "一色三节高 缺一门"),
    ("[444m,1][666m,1]22244s88p4s", "全双刻 双同刻"),
    ("[234s,1][777s,1][123s,1]8899s8s", "清一色"),
    ("[789p,1]1112345699p4p", "清一色 幺九刻 连六"),
    ("14m25s369pESWNFPC|EE1000|0", "七星不靠 自摸"),
    ("258m369pESWNCFP4s", "七星不靠"),
    ("369m147s2pESWCFPN|SS1010|0", "七星不靠 妙手回春"),
    ("[123s,1]4445777888s5s", "清一色 三暗刻"),
    ("77m113366s4477pEE|EN0000|0", "七对"),
    ("44m1199s88pEENPPN|SS0000|0", "七对 五门齐"),
    ("112m33s11223333p2m|EE1000|0", "七对 全小 四归一 自摸"),
    ("[456m,1][444s,1]5566s555p6s", "全中"),
    ("[222m,1][444s,1][666p,1]4488p8p", "全双刻"),
    ("778899m889s8899p9s|EE1000|0", "七对 全大 自摸"),
    ("[123s,1][789s,1][123m,1][789m,1]5p5p", "三色双龙会 全求人"),
    ("[123p,1]333s45678pEE9p|SS0000|0", "清龙 缺一门"),
    ("[777p,1][777s,1]77m234pPP7m", "三同刻"),
    ("[NNNN,1][8888p]2223m555s3m|WS0000|0", "三暗刻 碰碰和 明暗杠 幺九刻"),
    ("[123m,1]345567m77s88p8p", "一色三步高 无字"),
    ("[456p,1][567m,1]45m555s55p3m", "全带五"),
    ("[678s,3]147m369s25pSS8p", "组合龙"),
    ("[666p,1]147m258s3779p6p", "组合龙 和绝张 四归一 无字"),
    ("[EEE,2][SSS,1]78m55pWWW9m|NN1000|0", "三风刻 缺一门 自摸"),
    ("[789s,1][666s,1]6789m777p9m", "大于五"),
    ("[222m,1]11m44s122334p4s", "小于五"),
    ("258m147s36pESWFPC", "全不靠"),
    ("[555m,1]678m666s7799p7p", "三色三节高 无字"),
    ("[789m,1][456s,1]567m12pFF3p", "花龙 边张"),
    ("123m12334s123pCC2s|SN0000|0", "三色三同顺 门前清"),
    ("[567m,1]11m566778s56p7p", "三色三同顺 平和"),
    ("[123m,1][345m,1]56s678pWW7s|EE0000|2", "无番和 花牌×2"),
    ("[678m,1][234p,1][2222s]1234m4m|EE1001|0", "杠上开花 暗杠 无字"),
    ("[678m,1]23445s567pNN3s|EW0000|0", "无番和"),
    ("[234m,1][555m,1]567m5557p6p|EE0101|3", "抢杠和 四归一 断幺 喜相逢 缺一门 花牌×3 连六"),
    ("789m23789s789pCC1s|EW1000|0", "三色三同顺 不求人 全带幺 老少副"),
    ("[456s,1][123p,1]88s234pPP8s", "推不倒"),
    ("[888p,1][789m,1]123s45pPP6p", "花龙"),
    ("[123s,1][789s,1]13m77s456p2m|EE0010|0", "海底捞月 花龙 平和 喜相逢 坎张"),
    ("[CCC,1]1236667899p9p", "混一色 箭刻 老少副"),
    ("[345m,1]22256s22456p7s", "三色三步高 断幺"),
    ("[888p,1][444m,1]77sCCCPPP", "双箭刻 碰碰和"),
    ("[456m,1]345s24456pEE3p|SS0000|0", "三色三步高 喜相逢 坎张"),
    ("[SSS,2][567m,1]456s23pPP4p|SN0000|0", "五门齐 圈风刻"),
    ("[SSS,1]345m11567s45p6p|NS0000|0", "三色三步高 门风刻"),
    ("[CCC,1]234m777s45pNN6p", "五门齐 箭刻"),
    ("[222s,1][PPPP,1]333m55pCC5p", "碰碰和 箭刻 明杠"),
    ("[PPPP][1111s][345m,1]6789p9p", "双暗杠 箭刻 幺九刻"),
    ("234678m22s55pFFF5p|EE1000|0", "不求人 双暗刻 箭刻"),
    ("[9999m,1][NNNN,1]33345sEE6s|EE1000|0", "双明杠 幺九刻×2 缺一门 自摸"),
)


def fans_of(hand: str, edition: str | None = None) -> dict[str, int]:
    """The fans that stand, with their counts."""
    return {fan.name: fan.count for fan in score(hand, edition=edition).fans}


def in_words(words: str) -> dict[str, int]:
    parts = [word.partition("×") for word in words.split()]
    return {name: int(count or 1) for name, _, count in parts}


@pytest.mark.parametrize(("hand", "words"), ANSWERS)
def test_hand_scores_exactly_these_fans(hand: str, words: str) -> None:
    assert fans_of(hand) == in_words(words)


def test_every_fan_has_a_hand() -> None:
    scored = set().union(*(in_words(words) for _, words in ANSWERS))
    assert scored == {fan.name for fan in EDITIONS["2025"]} | {"花牌"}
    assert len(scored) == 82


# (hand, fans that must stand, fans that must not), numbered as the rulings they test.
RULINGS = (
    # 1. Concealed by nature: 自摸, never 不求人 or 门前清.
    ("1122445566889p9p|EE1000", "七对 清一色 自摸", "不求人 门前清"),
    ("19m19s119pESWNFPC|EE1000", "十三幺 自摸", "不求人"),
    ("147m8s369pSWNCFP2s", "全不靠", "门前清"),
    ("999s1155777999p1p|EE1000", "四暗刻 自摸", "不求人"),
    ("2233455667788s4s", "连七对", "门前清 七对 清一色 单钓将"),
    # 2. 七对 with other fans.
    ("22333344668888s", "七对 绿一色 清一色 断幺 四归一", "混一色 缺一门"),
    ("1199m119999p1991s", "七对 清幺九 四归一", "混幺九 无字"),
    ("EESSWWNNPPFFCC|EE1010", "七对 字一色 妙手回春", "混幺九 自摸"),
    ("99m11pSWWNNPPFFS", "七对 混幺九 缺一门", "全带幺"),
    ("7788m44s3344pWWFF", "七对 五门齐", ""),
    ("446688m446688s2m2m", "七对 断幺 缺一门", "全双刻"),
    ("223344558pPPPP8p", "七对 推不倒 混一色 四归一", "缺一门"),
    # 3. 字一色, 混幺九, 清幺九 bring 碰碰和.
    ("[EEE,1][SSS,1]CCCFFNNN", "字一色", "碰碰和 混幺九 全带幺 幺九刻 缺一门"),
    ("[NNN,3][999s,1][CCC,2]999m11p|ES1000", "混幺九 五门齐 双同刻 箭刻", "碰碰和 全带幺 幺九刻"),
    ("[111s,1][999s,1][999m,1]11m99p1m", "清幺九", "碰碰和 全带幺 幺九刻 无字"),
    # 4. At most one count of kongs.
    ("[1111s,1][2222m,1]8s333444p8s", "双明杠", "明杠"),
    ("[NNNN,1][8888p]2223m555s3m|WS0000", "明暗杠", "明杠 暗杠"),
    ("[CCCC][FFFF]333p67pPP5p|EE1000", "双暗杠 三暗刻 小三元", "暗杠 双暗刻"),
    ("[1111s,1][2222m,1][3333p]44p567s", "三杠", "双明杠 明暗杠 明杠 暗杠"),
    ("[1111s][2222m][3333p][4444p]8s8s", "四杠 四暗刻", "三杠 双暗杠 碰碰和 单钓将"),
    # 5. Concealed pungs.
    ("[PPPP][1111s][345m,1]6789p9p", "双暗杠", "双暗刻 暗杠"),
    ("[234m,1]111222p55s55m5s", "双暗刻", "三暗刻"),  # the third was finished by a discard
    ("[234m,1]111222p55s55m5s|EE1000", "三暗刻", "双暗刻"),
    ("1156667m222s888p6m", "三暗刻", "双暗刻"),  # the discard is read as part of a chow
    # 6. 杠上开花 with 妙手回春 and the kong; no 自摸.
    ("[678m,1][234p,1][2222s]1234m4m|EE1011", "杠上开花 妙手回春 暗杠", "自摸"),
    ("55678m12345789p6p|EE1010", "妙手回春 不求人", "自摸 门前清"),
    # 7. 缺一门.
    ("[CCC,1][FFF,1]PPP567m5s5s", "大三元 缺一门", "混一色 双箭刻 箭刻"),
    ("[CCC,3][567m,1]345pFFPPP|WS0000", "小三元 缺一门", "双箭刻 箭刻"),
    ("[EEE,2][SSS,1]78m55pWWW9m|NN1000", "三风刻 缺一门", "幺九刻"),
    ("[666m,1][777m,1]55588m11s8m", "一色四节高 缺一门", "一色三节高 碰碰和"),
    ("[123p,1][234p,1]344556p99s9s", "", "一色四步高"),
    ("[123p,1][234p,1]344556p9s9s", "一色四步高 缺一门 平和", "一色三步高 连六"),
    ("[456s,1][456s,1][456s,3]45s55m6s", "一色四同顺 缺一门", "一色三同顺 一般高 四归一"),
    ("[234p,1]123345p88999s", "推不倒", "缺一门"),
    # 8. Named pungs are no 幺九刻.
    ("[EEE,2][SSS,1]WWW99m55p9m|NN1000", "三风刻 幺九刻 碰碰和", ""),
    ("[SSS,2][WWW,1]EEENNFFF|NN0000", "小四喜 字一色 箭刻", "幺九刻 三风刻"),
    ("[EEE,1][WWW,1]99mSSSNNN", "大四喜 混幺九 混一色", "圈风刻 门风刻 三风刻 幺九刻"),
    ("[EEE,1]234m567s88p111p|EE0000", "圈风刻 门风刻 幺九刻", ""),
    ("[CCC,1]EEE234m567s8p8p|SS0000", "箭刻 幺九刻", ""),
    # 9. 组合龙 with 平和 and a wait; 全不靠 with all nine knitted tiles.
    ("12369m13347s258p3m", "组合龙 平和 边张 门前清", ""),
    ("258m13369p14788s2p", "组合龙 平和 坎张", ""),
    ("369m147p25sSWNPF8s", "全不靠 组合龙", "五门齐"),
    ("[NNNN,1]14m258s369p55m7m", "组合龙 明杠", "单钓将"),
    # 10. Waits, by form.
    ("1234444678m456p1m|NE1000", "四归一", "边张 坎张 单钓将"),
    ("1122334466668p7p", "一般高", "坎张 七对"),
    ("[567m,1]1223456s345p2s", "坎张", "单钓将"),
    ("12789m33s234999p3m", "边张", ""),
    # 12. 九莲宝灯.
    ("1112345678999p2p", "九莲宝灯 双暗刻 幺九刻 连六", "清一色 门前清 缺一门 无字"),
    ("1112345678999p9p|EE1000", "九莲宝灯 清龙 四归一 自摸", "幺九刻 不求人"),
    ("1112345678999p4p", "九莲宝灯 连六", "幺九刻"),
    ("[999p,1]1112345678p5p", "清一色 幺九刻", "九莲宝灯"),
    # 13. 大四喜, 小四喜 with 混一色 or 字一色.
    ("[EEE,2][SSSS,1]WWWNN55pN|EE1000", "大四喜 混一色", "缺一门"),
    ("[EEE,1][WWW,1]SSSNNCCN", "大四喜 字一色", "碰碰和"),
    # 14. 清幺九 and 绿一色.
    ("[111m,2]111999p11991s|EE1000", "清幺九 三同刻 三暗刻", "双同刻"),
    ("[333s,1][8888s][444s,1]2226s6s", "绿一色 清一色", "混一色 缺一门 无字"),
    ("[234s,2][666s,2]33888sFFF", "绿一色 箭刻", "混一色 缺一门"),
    # 15. 全求人.
    ("[123m,1][456s,1][123s,1][789s,1]1s1s", "全求人", "单钓将"),
    ("[123s,1][789s,1][789p,1][123p,1]5m5m|EE1000", "三色双龙会 单钓将 自摸", "全求人"),
    ("[CCCC,1][567p,1][PPPP][6666s]SS", "三杠 单钓将", "全求人"),
    # 16. 四归一.
    ("[1111m][222s,1]78999s44p9s", "四归一 暗杠", ""),
    ("[666p,1]147m258s3779p6p", "组合龙 四归一", ""),
    # 17. 无番和.
    ("[123m,1][345m,1]56s678pWW7s|EE0000|2", "无番和 花牌", ""),
    # 18. 和绝张.
    ("[666m,2][777m,2][999m,2]78886m", "清一色 和绝张", ""),
    ("[666p,1]147m258s3779p6p", "和绝张", ""),
    ("[234m,1][555m,1]567m5557p6p|EE0101", "抢杠和", "和绝张"),
)


@pytest.mark.parametrize(("hand", "stand", "absent"), RULINGS)
def test_ruling(hand: str, stand: str, absent: str) -> None:
    names = fans_of(hand)
    assert not set(stand.split()) - set(names)
    assert not set(absent.split()) & set(names)


CHOW_PAIRS = {"一般高", "喜相逢", "连六", "老少副"}


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ("234567p234567sEE", 3),  # four chows: at most three
        ("123789s123789p33m", 3),
        ("234s2233445678p8p", 3),
        ("[123m,1][345m,1]56s678pWW7s", 0),  # no two of them belong together
        ("123s123456mEEWWW", 2),  # three chows: at most two
        ("123s123456m456sEE", 3),
        ("[123m,1][345m,1][567m,1]789m99p", 0),  # a four-chow fan allows none
        ("[123m,1][456m,1]123789mEE", 1),  # a three-chow fan allows one
        ("[234s,1][234p,1]234mEEE55p", 0),  # and none where it takes all chows
    ],
)
def test_ruling_11_account_once(hand: str, count: int) -> None:
    answer = score(hand)
    assert answer.wins
    assert sum(fan.count for fan in answer.fans if fan.name in CHOW_PAIRS) == count


@pytest.mark.parametrize(
    ("edition", "hand", "total"),
    [
        ("1998", "[NNNN,1][8888p]2223m555s3m|WS0000", 26),  # 明杠 1 and 暗杠 2 where 2025 has 明暗杠 5
        ("2025", "[NNNN,1][8888p]2223m555s3m|WS0000", 28),
        ("green-book", "[NNNN,1][8888p]2223m555s3m|WS0000", 29),  # 双明杠 4 and 暗杠 2
        ("green-book", "[567m,1][4444m][9999m]111mCC", 33),  # 双暗杠 8
        ("green-book", "666m22244466s88p8p|EE1000", 92),  # 不求人 4 though concealed by nature
        ("2025", "666m22244466s88p8p|EE1000", 89),
        ("green-book", "[111s,1][999s,1][999m,1]11m99p1m", 68),  # 双同刻 beside 清幺九
        ("green-book", "[234s,2][666s,2]33888sFFF", 96),  # 混一色 beside 绿一色
    ],
)
def test_editions(edition: str, hand: str, total: int) -> None:
    assert score(hand, edition=edition).total == total


def test_result_names_the_sets_of_each_fan() -> None:
    answer = score("[CCC,1]1236667899p9p")
    tiles = {fan.name: fan.tiles for fan in answer.fans}
    assert tiles["箭刻"] == (("C", "C", "C"),)
    assert tiles["老少副"] == (("1p", "2p", "3p"), ("7p", "8p", "9p"))
    assert len(tiles["混一色"]) == 5


@pytest.mark.parametrize(
    ("hand", "fan", "tiles"),
    [
        ("[123m,1][345s,1]23489p77s7p", "边张", ("7p", "8p", "9p")),
        ("[123m,1][345s,1]12567p77s3p", "边张", ("1p", "2p", "3p")),
        ("[123m,1][345s,1]13345p77s2p", "坎张", ("1p", "2p", "3p")),
        ("[123m,1][345s,1]123345p7s7s", "单钓将", ("7s", "7s")),
    ],
)
def test_a_wait_names_what_it_completed(hand: str, fan: str, tiles: tuple[str, ...]) -> None:
    assert {scored.name: scored.tiles for scored in score(hand).fans}[fan] == (tiles,)


def test_result_says_what_is_left_out_and_why() -> None:
    answer = score("[NNN,1]234s234p234m55s|NS0000")
    left_out = {(note.name, note.by) for note in answer.excluded}
    assert ("喜相逢", "三色三同顺") in left_out
    assert ("幺九刻", "圈风刻") in left_out
    assert all(note.rule for note in answer.excluded)


def test_result_blames_only_fans_that_stand() -> None:
    for hand, _ in ANSWERS:
        answer = score(hand)
        assert {note.by for note in answer.excluded} <= {fan.name for fan in answer.fans}


@pytest.mark.parametrize("edition", EDITIONS)
def test_table_is_complete_and_cites_its_sources(edition: str) -> None:
    fans = fan_table(edition).fans
    names = [fan.name for fan in fans]
    assert len(set(names)) == len(names) == (81 if edition == "2025" else 80)  # 花牌 is counted apart
    assert all(fan.source and fan.english and all(fan.drops.values()) for fan in fans)
    dropped = {name for fan in fans for name in fan.drops}
    assert dropped <= {*names, "明暗杠"}
