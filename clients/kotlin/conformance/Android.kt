// Stand-ins of the Android classes that the README's lines use, so that they can be compiled. Nothing here runs.
@file:Suppress("UNUSED_PARAMETER", "unused", "PackageDirectoryMismatch")

package android

open class SharedPreferences {
    fun getString(key: String, otherwise: String?): String? = otherwise
    fun edit(): SharedPreferences = this
    fun putString(key: String, value: String?): SharedPreferences = this
    fun apply() = Unit
}

open class Context {
    val applicationContext: Context get() = this
    fun getSharedPreferences(name: String, mode: Int): SharedPreferences = SharedPreferences()

    companion object {
        const val MODE_PRIVATE = 0
    }
}

open class Application : Context() {
    open fun onCreate() = Unit
}

object SystemClock {
    fun elapsedRealtime(): Long = 0
}

class MotionEvent {
    val actionMasked = 0
    val x = 0f
    val y = 0f

    companion object {
        const val ACTION_DOWN = 0
        const val ACTION_UP = 1
        const val ACTION_CANCEL = 3
        const val ACTION_POINTER_DOWN = 5
    }
}

open class ComponentActivity : Context() {
    open fun onResume() = Unit
    open fun dispatchTouchEvent(event: MotionEvent): Boolean = false
}

interface LifecycleOwner {
    val lifecycle: Lifecycle
}

interface DefaultLifecycleObserver {
    fun onStart(owner: LifecycleOwner) = Unit
    fun onStop(owner: LifecycleOwner) = Unit
}

class Lifecycle {
    fun addObserver(observer: DefaultLifecycleObserver) = Unit
}

object ProcessLifecycleOwner : LifecycleOwner {
    fun get(): LifecycleOwner = this
    override val lifecycle = Lifecycle()
}

class View {
    val height = 0
}

class RecyclerView {
    val context = Context()
    val rootView = View()
    fun computeVerticalScrollOffset(): Int = 0
    fun computeVerticalScrollExtent(): Int = 0
    fun computeVerticalScrollRange(): Int = 0

    abstract class OnScrollListener {
        open fun onScrolled(view: RecyclerView, dx: Int, dy: Int) = Unit
    }
}

fun visitId(): String = "v1"
