// Stand-ins for the parts of UIKit that the README uses, with the names and types that Apple documents. They do nothing: they
// only let the README's lines be compiled where there is no UIKit.
@_exported import Foundation

@MainActor open class UIView {
    public let bounds = CGRect.zero
    public var window: UIWindow? { nil }
}

@MainActor open class UIWindow: UIView {
    open func sendEvent(_ event: UIEvent) {}
}

@MainActor open class UIEvent {
    public var allTouches: Set<UITouch>? { nil }
}

@MainActor open class UITouch: NSObject {
    public enum Phase: Sendable {
        case began, moved, stationary, ended, cancelled
    }

    public let phase = Phase.began
    public func location(in view: UIView?) -> CGPoint { .zero }
}

public struct UIEdgeInsets: Sendable {
    public let top = CGFloat.zero
    public let bottom = CGFloat.zero
}

@MainActor open class UIScrollView: UIView {
    public let contentOffset = CGPoint.zero
    public let contentSize = CGSize.zero
    public let adjustedContentInset = UIEdgeInsets()
}

@MainActor open class UIViewController {
    public init() {}
    open func viewDidAppear(_ animated: Bool) {}
}

@MainActor public protocol UIScrollViewDelegate: AnyObject {
    func scrollViewDidScroll(_ scrollView: UIScrollView)
}

@MainActor open class UIApplication {
    public nonisolated static let didBecomeActiveNotification = Notification.Name("didBecomeActive")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("didEnterBackground")
}

@MainActor open class UITextField {
    public nonisolated static let textDidChangeNotification = Notification.Name("textFieldDidChange")
}

@MainActor open class UITextView {
    public nonisolated static let textDidChangeNotification = Notification.Name("textViewDidChange")
}
