"""What can go wrong with a request, as application/problem+json in the caller's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

from starlette.responses import JSONResponse

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

_TITLES_ZH = {
    400: "请求有误", 403: "不允许", 404: "没有找到", 405: "不支持的方法", 408: "超时", 409: "冲突",
    413: "太大", 415: "格式不支持", 421: "地址不对", 422: "内容有误", 500: "服务器出错",
    503: "服务器忙", 507: "空间不足",
}  # fmt: skip


@dataclass(frozen=True)
class Sentence:
    """One sentence in both languages."""

    en: str
    zh: str

    def of(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en


@dataclass
class ApiError(Exception):
    """A request that is refused. code is stable, the sentence says what is wrong and what to do."""

    status: int
    code: str
    sentence: Sentence
    headers: Mapping[str, str] = field(default_factory=dict)


def language_of(accept_language: str | None) -> Language:
    """The better of English and Chinese by an Accept-Language header; English where neither is asked for.

    >>> language_of("fr, zh-CN;q=0.8, en;q=0.5")
    'zh'
    """
    best: tuple[float, Language] = (0.0, "en")
    for part in (accept_language or "").split(",")[:20]:
        tag, _, weight = part.partition(";q=")
        try:
            value = float(weight or 1)
        except ValueError:
            continue
        name = tag.strip().lower().partition("-")[0]
        if name == "zh" and value > best[0]:
            best = (value, "zh")
        elif name == "en" and value > best[0]:
            best = (value, "en")
    return best[1]


def problem_response(error: ApiError, language: Language) -> JSONResponse:
    """The error as problem+json."""
    title = HTTPStatus(error.status).phrase
    body = {
        "type": "about:blank",
        "title": _TITLES_ZH.get(error.status, title) if language == "zh" else title,
        "status": error.status,
        "detail": error.sentence.of(language),
        "code": error.code,
    }
    headers = {**error.headers, "Content-Language": language, "Vary": "Accept-Language"}
    return JSONResponse(body, error.status, headers, media_type="application/problem+json")
