"""What the pages say in their own voice, once in each language.

A vault speaks one language throughout: folder and property names, headings and tables. A repository's own
words stay as they are.
"""

from typing import Literal

import msgspec

Language = Literal["en", "zh"]


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """``more`` and the like have ``{}`` where a number or a name goes."""

    # places
    home: str
    projects: str
    concepts: str
    files: str
    tasks: str
    sessions: str
    decisions: str
    rules: str
    folder: str
    map: str
    # properties
    kind: str
    project: str
    path: str
    language: str
    lines: str
    users: str
    changed: str
    status: str
    opened: str
    closed: str
    host: str
    main: str
    part: str
    # headings and columns
    about: str
    name: str
    line: str
    says: str
    when: str
    what: str
    who: str
    start: str
    lately: str
    where: str
    defines: str
    used_by: str
    uses: str
    tests: str
    documents: str
    settings: str
    main_files: str
    more_files: str
    commits: str
    evidence: str
    related: str
    asked: str
    read: str
    modified: str
    summary: str
    broke: str
    rule: str
    by_folder: str
    task: str
    session: str
    decision: str
    concept: str
    file: str
    # sentences
    ours: str
    more: str
    nothing: str
    quiet: str
    moved: str
    merged: str
    count_files: str
    count_file: str
    on_branch: str
    of_project: str
    file_line: str
    file_changed: str
    most_used: str
    committed: str
    opened_task: str
    closed_task: str
    began_session: str
    decided: str
    changed_files: str
    legend: str
    did: str
    relations: dict[str, str]
    inverse: dict[str, str]
    statuses: dict[str, str]
    kinds: dict[str, str]
    sources: dict[str, str]
    symbols: dict[str, str] = {}  # a kind that is not named is called as the events call it
    rules_speak_it: bool = False  # whether what the rules say of a concept is in this language

    def of_files(self, count: int) -> str:
        """So many files."""
        return self.count_file if count == 1 else self.count_files.format(f"{count:,}")


EN = Words(
    home="Home", projects="Projects", concepts="Concepts", files="Files", tasks="Tasks",
    sessions="Sessions", decisions="Decisions", rules="Rules", folder="Folder", map="Map",
    kind="kind", project="project", path="path", language="language", lines="lines", users="used_by",
    changed="changed", status="status", opened="opened", closed="closed", host="host", main="main_file",
    part="files",
    about="What it is", name="Name", line="Line", says="What it says", when="When", what="What", who="Who",
    start="Where to start", lately="What happened lately", where="Where to look", defines="What it defines",
    used_by="Used by", uses="Uses", tests="Tests", documents="Documents", settings="Settings",
    main_files="Main files", more_files="More files", commits="Commits", evidence="Why it is here",
    related="What it goes with", asked="What was asked", read="Read", modified="Changed", summary="Summary",
    broke="What broke", rule="What must not be done",
    by_folder="Files by folder", task="Task", session="Session", decision="Decision", concept="Concept",
    file="File",
    ours="These pages are written by navlog and rewritten when something changes. Write your own notes "
    "beside them and link to them: a note of yours is never touched.",
    more="and {} more",
    nothing="Nothing yet.",
    quiet="Nothing has happened since the first look.",
    moved="This file is now called {}.",
    merged="This is part of {} now.",
    count_files="{} files",
    count_file="1 file",
    on_branch="branch {}",
    of_project="{} of {}",
    file_line="{} lines of {}",
    file_changed="last seen changing {}",
    most_used="The most used files",
    committed="commit: {}",
    opened_task="task begun: {}",
    closed_task="task {}: {}",
    began_session="session: {}",
    decided="noted: {}",
    changed_files="changed: {}",
    legend="An arrow leads from what needs to what is needed. Purple: is a part of. Copy this map before you "
    "arrange it: it is drawn anew when the concepts change.",
    did="prompts {}, tools used {}, of them failed {}",
    relations={"contains": "Has the parts", "depends_on": "Needs", "related_to": "Goes with"},
    inverse={"contains": "Part of", "depends_on": "Needed by", "related_to": "Goes with"},
    statuses={
        "open": "open", "completed": "completed", "failed": "failed", "cancelled": "cancelled",
        "interrupted": "interrupted", "found": "found", "accepted": "accepted by people",
        "created": "named by people", "rejected": "rejected",
    },
    kinds={
        "package": "package", "module": "module", "topic": "topic", "symbol": "symbol", "named": "name",
        "source": "source", "test": "test", "document": "document", "example": "example",
        "vendored": "third-party code", "generated": "generated file", "declaration": "declarations",
        "settings": "settings", "data": "data",
    },
    sources={"rules": "found in the code", "provider": "proposed by a model", "person": "said by people"},
    rules_speak_it=True,
)  # fmt: skip

ZH = Words(
    home="首页", projects="项目", concepts="概念", files="文件", tasks="任务", sessions="会话",
    decisions="决定", rules="规则", folder="文件夹", map="地图",
    kind="类型", project="项目", path="路径", language="语言", lines="行数", users="被引用",
    changed="变更时间",
    status="状态", opened="开始", closed="结束", host="主机", main="主要文件", part="文件数",
    about="这是什么", name="名称", line="行", says="自述", when="时间", what="事情", who="谁",
    start="从哪里开始", lately="最近发生的事", where="去哪里看", defines="定义了什么", used_by="被谁使用",
    uses="使用了谁", tests="测试", documents="文档", settings="配置", main_files="主要文件",
    more_files="其他文件", commits="提交", evidence="为什么在这里", related="与什么相关", asked="问了什么",
    read="读过", modified="改过", summary="小结",
    broke="出了什么问题", rule="不可以做的事", by_folder="按文件夹查看", task="任务",
    session="会话", decision="决定", concept="概念", file="文件",
    ours="这些页面由 navlog 写成，内容变化时会重写。请把自己的笔记写在旁边并链接过来：您的笔记不会被改动。",
    more="另有 {} 个",
    nothing="暂无。",
    quiet="首次索引之后还没有变化。",
    moved="这个文件现在叫 {}。",
    merged="现在归入 {}。",
    count_files="{} 个文件",
    count_file="1 个文件",
    on_branch="分支 {}",
    of_project="{1} 的{0}",
    file_line="{1}，{0} 行",
    file_changed="最近一次变更 {}",
    most_used="被引用最多的文件",
    committed="提交：{}",
    opened_task="任务开始：{}",
    closed_task="任务{}：{}",
    began_session="会话：{}",
    decided="记录：{}",
    changed_files="变更：{}",
    legend="箭头从需要者指向被需要者。紫色表示从属关系。想自己排版，请先复制一份：概念变化时这张图会重画。",
    did="提示 {} 次，使用工具 {} 次，其中失败 {} 次",
    relations={"contains": "包含", "depends_on": "依赖", "related_to": "相关"},
    inverse={"contains": "属于", "depends_on": "被依赖", "related_to": "相关"},
    statuses={
        "open": "进行中", "completed": "已完成", "failed": "失败", "cancelled": "已取消",
        "interrupted": "已中断", "found": "自动发现", "accepted": "人已确认", "created": "人为命名",
        "rejected": "已拒绝",
    },
    kinds={
        "package": "包", "module": "模块", "topic": "主题", "symbol": "符号", "named": "名称",
        "source": "源码", "test": "测试", "document": "文档", "example": "示例", "vendored": "第三方代码",
        "generated": "生成的文件", "declaration": "声明", "settings": "配置", "data": "数据",
    },
    sources={"rules": "从代码中发现", "provider": "由模型提出", "person": "由人指出"},
    symbols={
        "module": "模块", "class": "类", "interface": "接口", "trait": "特征", "enum": "枚举",
        "struct": "结构", "type": "类型", "function": "函数", "macro": "宏", "namespace": "命名空间",
        "heading": "标题", "table": "表",
    },
)  # fmt: skip

WORDS: dict[Language, Words] = {"en": EN, "zh": ZH}
