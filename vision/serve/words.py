"""Chinese for the sentences of readings and scores, which are English, by their stable codes."""

from __future__ import annotations

from collections.abc import Iterable

from scoring import NotationError
from vision.remark import Remark, Wording
from vision.serve.problems import ApiError, Language, Sentence
from vision.serve.worker import Failed

PROBLEMS_ZH = {
    "wrong-tile-count": "张数不对（杠按三张计）。",
    "too-many-melds": "副露太多。",
    "not-a-chow": "有一副吃不是顺子。",
    "not-a-pung": "有一副碰不是刻子。",
    "not-a-kong": "有一副杠不是四张相同的牌。",
    "five-of-a-kind": "同一种牌超过四张。",
    "not-winning": "这些牌既不成面子加将，也不是特殊牌型。",
    "last-copy-contradicted": "所说的和绝张与手牌矛盾。",
    "no-kong": "说是杠上开花，但手中没有杠。",
    "robbed-kong-contradicted": "说是抢杠和，但手中另有同样的牌。",
    "two-wall-end-claims": "抢杠和与最后一张弃牌不能同时成立。",
    "not-a-flower": "此规则中有一张花牌不是花。",
    "repeated-flower": "同一张花牌出现多次。",
    "too-many-flowers": "花牌太多。",
    "event-contradicted": "所说的特殊和牌与手牌矛盾。",
    "events-contradicted": "所说的特殊和牌彼此矛盾。",
    "dealer-contradicted": "所说的庄家与门风矛盾（东为庄）。",
    "discarder-contradicted": "所说的点和者与和牌方式矛盾。",
    "responsibility-contradicted": "所说的包牌与手牌矛盾。",
    "flower-in-hand": "此规则中风牌和箭牌是花，请放在花牌里。",
    "any-tile-wait": "跑百搭只能自摸。",
    "wild-in-meld": "副露里有混牌或金牌，它们只能留在手中。",
    "too-many-gold": "金牌超过三张。",
}
"""By the code of a `scoring.Problem`."""

CHINESE = Wording(
    {
        "flower-unclear": "{tile} 号牌是花牌，看不出是哪一张。",
        "not-legible": "{tile} 号牌看不清。",
        "not-legible-perhaps": "{tile} 号牌看不清，可能是 {names}。",
        "hardly-legible": "{tile} 号牌不太清楚，按牌型应是 {name}。",
        "check": "请核对 {tile} 号牌：{names}。",
        "perhaps-no-tile": "{tile} 号可能不是牌。",
        "damaged": "照片文件已损坏，牌面可能与实际不同；请重新复制照片，或逐张核对。",
        "hole": "立牌中间空了一张的位置，可能漏了一张牌。",
        "cut": "有一张牌被照片边缘切掉了一部分。",
        "rival-more": "这副牌也可能加上 {gained}。",
        "rival-less": "这副牌也可能不含 {lost}。",
        "rival": "这副牌也可能加上 {gained}，不含 {lost}。",
        "face-down": "有一张牌背面朝上，无法计分。",
        "unnamed": "有一张牌未认出，无法计分。",
        "winning-not-read": "识别出的立牌里没有所说的和张 {name}，以下按 {instead} 计算。",
    },
    either="或",
    comma="、",
    numbered="{name}（{tile} 号）",
)
"""Remarks on a reading."""

_PHOTOS: dict[str, tuple[int, str, str]] = {
    "PhotoUnreadableError": (400, "unreadable", "照片无法读取，请重新选择。"),
    "PhotoFormatError": (415, "no-picture", "不是能打开的图片，请选择 JPEG、PNG、WebP 或 HEIC 照片。"),
    "PhotoDamagedError": (422, "damaged", "照片不完整或已损坏，请重新复制。"),
    "PhotoAnimatedError": (415, "animation", "这是动图，请选择一张静止的照片。"),
    "PhotoSizeError": (422, "wrong-size", "照片像素过多或过少：最多六千万像素，每边至少三十二像素。"),
    "NoTilesError": (422, "no-tiles", "照片里没有看到牌，请在光线好的地方靠近拍摄。"),
}


def warnings_in(language: Language, warnings: Iterable[str]) -> list[str]:
    """The remarks on a reading in the caller's language; what is no `Remark` stays as it is."""
    return [
        warning.said(CHINESE) if language == "zh" and isinstance(warning, Remark) else warning
        for warning in warnings
    ]


def failure(failed: Failed) -> ApiError:
    """The answer to a photo that could not be read."""
    if failed.kind in _PHOTOS:
        status, code, zh = _PHOTOS[failed.kind]
        return ApiError(status, code, Sentence(failed.sentence, zh))
    if failed.kind == "ModelError":
        return ApiError(500, "no-models", Sentence(failed.sentence, "模型文件缺失或损坏，请重新安装 hupai。"))
    return ApiError(500, "failed", FAILED)


FAILED = Sentence(
    "The photo could not be read because of an error in hupai; try another photo.",
    "hupai 出错，照片未能读取，请换一张照片。",
)
BUSY = Sentence("Many photos are waiting; try again in a moment.", "排队的照片太多，请稍后再试。")
OVERLOADED = Sentence(
    "This server's computer has too much to do to read the photo; try again in a moment.",
    "服务器所在的电脑太忙，照片没能读完，请稍后再试。",
)
TOO_LONG = Sentence(
    "The photo took too long to read and was given up; photograph the hand alone, from nearer.",
    "照片读取时间过长，已放弃；请靠近只拍这手牌。",
)

KEEPS_NONE = Sentence("This server keeps no photos.", "本服务器不保存照片。")
NOT_AGREED = Sentence(
    "The photo was not kept: send the field 'keep' as 'true' to agree.",
    "照片未保存：同意保存请发送 keep=true。",
)


def notation_problem(error: NotationError) -> ApiError:
    """The answer to text that is no hand."""
    zh = f"牌谱在第 {error.position + 1} 个字符处有误。"
    return ApiError(422, "notation", Sentence(str(error), zh))


def rules_problem(error: ValueError) -> ApiError:
    """The answer to rules, options or circumstances that there are none of."""
    return ApiError(422, "rules", Sentence(str(error), f"规则、选项或和牌情况有误：{error}"))
